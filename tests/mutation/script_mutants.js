"use strict";
// Every small change of some scripts: node script_mutants.js FOLDER FILE..., with TypeScript in NODE_PATH.
//
// Writes JSON: for each change its file, the function that it is in, its kind, the span of the text that it
// replaces, and the replacement; `statement` says that the span is a statement and not an expression.
// TypeScript's parser is there for `make lint` anyway.  Stryker would change no number and remove no call.

const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const ts = require("typescript");

const OPERATORS = {
  "<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"], "===": ["!=="], "!==": ["==="],
  "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"],
  "+=": ["-="], "-=": ["+="],
};
const BOUNDARIES = ["<", "<=", ">", ">="];
const TWINS = {
  min: "max", max: "min", floor: "ceil", ceil: "floor", some: "every", every: "some", round: "floor",
  startsWith: "endsWith", endsWith: "startsWith", trim: "toString", shift: "pop", pop: "shift",
  find: "findLast", findLast: "find", unshift: "push", push: "unshift", append: "prepend",
};

/**
 * A number that is off by one, or by a factor of ten where one more would hardly be noticed.
 * @param {string} text
 */
function otherNumber(text) {
  const number = Number(text.replaceAll("_", ""));
  return Number.isInteger(number) && number <= 10 ? String(number + 1) : String(number * 10);
}

/**
 * @param {string} file
 * @param {string} text
 */
function mutantsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const found = [];

  const add = (node, kind, replacement, within) => {
    const span = { start: node.getStart(source), end: node.getEnd() };
    found.push({ file, function: within, kind, ...span, replacement, statement: ts.isStatement(node) });
  };
  const negate = (node, within) => add(node, "condition", `!(${node.getText(source)})`, within);

  const visit = (node, within) => {
    const name = nameOf(node, within);
    if (ts.isBinaryExpression(node)) {
      const operator = node.operatorToken.getText(source);
      const [left, right] = [node.left.getText(source), node.right.getText(source)];
      for (const other of OPERATORS[operator] ?? []) {
        add(node, BOUNDARIES.includes(operator) ? "boundary" : "operator", `${left} ${other} ${right}`, name);
      }
      if (operator === "??") add(node, "operator", left, name);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      add(node, "condition", node.operand.getText(source), name);
    } else if (ts.isNumericLiteral(node) && !isName(node)) {
      const isWhole = Number.isInteger(Number(node.getText(source).replaceAll("_", "")));
      add(node, isWhole ? "number" : "fraction", otherNumber(node.getText(source)), name);
    } else if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) {
      add(node, "boolean", node.kind === ts.SyntaxKind.TrueKeyword ? "false" : "true", name);
    } else if (ts.isStringLiteral(node) && isWord(node)) {
      add(node, "string", JSON.stringify(`${node.text}_`), name);
    } else if (ts.isRegularExpressionLiteral(node)) {
      const written = node.getText(source);
      if (written.startsWith("/^")) add(node, "regex", `/${written.slice(2)}`, name);
      if (/[^\\]\$\/\w*$/.test(written)) add(node, "regex", written.replace(/\$(\/\w*)$/, "$1"), name);
    } else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const method = node.expression.name;
      if (Object.hasOwn(TWINS, method.text)) {
        const [before, after] = [node.getStart(source), method.getStart(source)];
        const rest = text.slice(method.getEnd(), node.getEnd());
        add(node, "method", text.slice(before, after) + TWINS[method.text] + rest, name);
      }
    }
    if (ts.isIfStatement(node) || ts.isWhileStatement(node)) negate(node.expression, name);
    if (ts.isConditionalExpression(node)) negate(node.condition, name);
    if (isRemovable(node)) add(node, "statement", "", name);
    ts.forEachChild(node, (child) => visit(child, name));
  };
  visit(source, "");
  return found;
}

/**
 * The class, method or function that a node begins, or the one around it.
 * @param {import("typescript").Node} node
 * @param {string} within
 */
function nameOf(node, within) {
  if (ts.isConstructorDeclaration(node)) return `${within}.constructor`;
  const begins = ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isMethodDeclaration(node);
  const accessor = ts.isGetAccessor(node) || ts.isSetAccessor(node);
  if (!(begins || accessor) || !node.name) return within;
  return within ? `${within}.${node.name.getText()}` : node.name.getText();
}

/**
 * A word for the program, and no prose: it has no space, and is neither "use strict" nor a name of a field.
 * @param {import("typescript").StringLiteral} node
 */
function isWord(node) {
  return !/\s/.test(node.text) && !ts.isExpressionStatement(node.parent) && !isName(node);
}

/**
 * The name of a field of an object.
 * @param {import("typescript").Node} node
 */
function isName(node) {
  return ts.isPropertyAssignment(node.parent) && node.parent.name === node;
}

/** @param {import("typescript").Node} node */
function isRemovable(node) {
  if (ts.isReturnStatement(node)) return !node.expression;
  if (ts.isBreakStatement(node) || ts.isContinueStatement(node)) return true;
  if (!ts.isExpressionStatement(node) || ts.isStringLiteral(node.expression)) return false;
  const inner = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
  const isSuper = ts.isCallExpression(inner) && inner.expression.kind === ts.SyntaxKind.SuperKeyword;
  return !isSuper;
}

const [folder, ...files] = process.argv.slice(2);
const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(folder, file), "utf-8")));
process.stdout.write(JSON.stringify(all));
