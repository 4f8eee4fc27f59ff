"""Source of a rule: where it stands, its text, and words in it that announce what is meant."""

from __future__ import annotations

import ast
import inspect
import io
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

__all__ = ["SYMMETRIC", "RuleSource", "rule_source"]

# A gradient that is meant to be no derivative is announced by these, in a name, a docstring or a comment.
MEANT = re.compile(
    r"straight[-_ ]?through|surrogate|pseudo[-_ ]?(grad|deriv)|spik(e|ing)|heaviside|binari[sz]|ternari[sz]|"
    r"quanti[sz]|fake[-_ ]?quant|revers(al|ed?|e)[-_ ]?(the[-_ ])?(grad|layer)|rev[-_]?grad|"
    r"(?-i:\bste(?=_|\b)|_ste\b|Ste(?=[A-Z_]|\b)|STE(?![A-Za-z])|STE(?=[A-Z][a-z]))|"
    r"grad(ient)?s?[-_ ]?(revers|scal|clip|clamp|filter|multipl|stop|block|penal|mask|kill)|"
    r"guided|stop[-_ ]?grad|custom[-_ ]grad|approximat\w*[-_ ](the[-_ ])?(grad|deriv|backward)|"
    r"(biased|soft|smooth\w*|relaxed|modified|truncated|clipped|clamped|scaled|faked?|proxy)[-_ ]"
    r"(grad|deriv|backward)|lower[-_ ]?bound|differentiable[-_ ](round|clip|quant|sign)|"
    # an estimator of the gradient: one of an entropy, a trace or a log-determinant is owed its derivative
    r"(?<![a-z])(grad(ient)?s?|derivatives?|backward|straight)[-_ ]estimator|"
    r"estimators? (of|for) (the )?(grad|deriv|backward)|"
    r"(?<![a-z])(so3|se3|sim3|rxso3)(?![a-z])|natural[-_ ]grad|"
    r"lie[-_ ]?(group|algebra|tensor)|tangent space|"
    r"gradients? (to )?(flow|pass)(es|ing)? through unchanged|"
    r"but (use|return|give)s? .{0,40} (in|for) (the )?backward|"
    r"trunc[-_ ]?exp|直通|替代梯度|代理梯度|梯度反转",
    re.IGNORECASE,
)
LIE = re.compile(r"(?<![a-z])(so3|se3|sim3|rxso3|lie)(?![a-z])", re.IGNORECASE)
RESCALED = re.compile(r"normali[sz]|rescal|kaczmarz|per[-_ ]sample|precondition", re.IGNORECASE)
CLAMPED = re.compile(r"clamp|clip|bound|sat(urat)?|hard|gate|mask", re.IGNORECASE)
SYMMETRIC = re.compile(
    r"symm?etri|\bspd\b|(?<![a-z])spd|\bpsd\b|positive[- _](semi)?[- ]?definite|covarian|hermitian|cholesky|"
    r"eigh\b|symeig|kernel matrix",
    re.IGNORECASE,
)
STRUCTURES = {
    "orthogonal": re.compile(r"orthogonal|orthonormal|rotation|unitary|stiefel|so3|SO\(|lie\b|tangent", re.I),
    "triangular": re.compile(r"triang|chol|tril|triu|lower|upper", re.I),
    "simplex": re.compile(
        r"simplex|probab|distribution|softmax|marginal|transport|sinkhorn|categor|entrop", re.I
    ),
    "sphere": re.compile(r"sphere|unit[-_ ]?(length|norm|vector)|normali[sz]e|quaternion|hypersphere", re.I),
}
INTENDED = re.compile(r"minigrad:\s*intended\s*[=:]?\s*([\w-]+)", re.IGNORECASE)


@dataclass(frozen=True)
class RuleSource:
    """The text of a rule as it stands in its file; all empty where there is none."""

    name: str = ""
    file: str = ""
    line: int = 0  # of its first line
    text: str = ""
    above: str = ""  # the comment over it

    def meant(self) -> str:
        """The word that announces a gradient which is not the derivative; "" where there is none."""
        found = MEANT.search(self.name) or MEANT.search(self.prose()) or LIE.search(Path(self.file).stem)
        return found.group(0) if found else ""

    def clamped(self) -> bool:
        """Does its name, or its prose, speak of clamps, bounds or gates?"""
        return bool(CLAMPED.search(self.name) or CLAMPED.search(self.prose()))

    def rescaled(self) -> bool:
        return bool(RESCALED.search(self.prose()))

    def speaks_of(self, structure: str) -> bool:
        """Does it, or the name of its file, say that its inputs are of a structure?"""
        if structure == "symmetric":
            return self.symmetric()
        return bool(STRUCTURES[structure].search(f"{self.text}\n{self.above}\n{Path(self.file).stem}"))

    def symmetric(self) -> bool:
        """Does it speak of symmetric matrices, or call what needs one?"""
        return bool(SYMMETRIC.search(self.text) or SYMMETRIC.search(Path(self.file).stem))

    def surroundings(self) -> str:
        """Its text, the name of its file and the names and docstrings in that: what it is about."""
        try:
            tree = ast.parse(Path(self.file).read_text(errors="replace")) if self.file else ast.Module([], [])
        except (OSError, SyntaxError, ValueError, RecursionError):
            tree = ast.Module([], [])
        names = [node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))]
        heading = ast.get_docstring(tree) if isinstance(tree, ast.Module) and tree.body else ""
        return "\n".join([self.text, Path(self.file).stem, heading or "", *names])

    def detaches(self) -> bool:
        """Does its forward hold parts of itself constant?"""
        return bool(re.search(r"\.detach\(|no_grad|stop_gradient|\.data\b", self.text))

    def intended(self) -> str:
        """The word of a comment `# minigrad: intended=ste` in it; "" where there is none."""
        found = INTENDED.search(self.text)
        return found.group(1).lower() if found else ""

    def prose(self) -> str:
        """Its comments and docstrings."""
        parts = [self.above]
        try:
            for token in tokenize.generate_tokens(io.StringIO(dedent(self.text)).readline):
                if token.type == tokenize.COMMENT or (
                    token.type == tokenize.STRING and token.string.lstrip("rbuRBU")[:3] in ('"""', "'''")
                ):
                    parts.append(token.string)
        except (tokenize.TokenError, SyntaxError):
            pass
        return "\n".join(parts)

    def method(self, name: str) -> tuple[ast.FunctionDef, int] | None:
        """A function of the class, and what to add to its line numbers to get those of the file."""
        try:
            tree = ast.parse(dedent(self.text))
        except (SyntaxError, ValueError, RecursionError):
            return None
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return node, self.line - 1
        return None


def rule_source(rule: object) -> RuleSource:
    """The source of a class or a function; an empty one where it cannot be found."""
    name = str(getattr(rule, "__qualname__", getattr(rule, "__name__", "")))
    inner = inspect.unwrap(rule) if callable(rule) and not isinstance(rule, type) else rule
    try:
        lines, first = inspect.getsourcelines(inner)  # type: ignore[arg-type]
        file = inspect.getsourcefile(inner) or ""  # type: ignore[arg-type]
    except (OSError, TypeError, SyntaxError, IndexError, tokenize.TokenError):
        return RuleSource(name)
    above = inspect.getcomments(inner) or ""
    return RuleSource(name, file, max(1, first), "".join(lines), above)
