// The editor for Python, out of CodeMirror.  It stands in a shadow root, whose sheets a strict policy allows.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const marked = StateEffect.define();
const marks = StateField.define({
  create: () => ({ playing: null, mistake: null }),
  update(value, { effects, docChanged }) {
    const kept = docChanged ? { playing: null, mistake: null } : value;
    return effects.reduce((now, effect) => (effect.is(marked) ? { ...now, ...effect.value } : now), kept);
  },
  provide: (field) =>
    EditorView.decorations.from(field, ({ playing, mistake }) => {
      const spans = [[playing, "playing"], [mistake, "mistake"]].filter(([span]) => span && span[0] < span[1]);
      return Decoration.set(spans.map(([span, kind]) => Decoration.mark({ class: kind }).range(...span)), true);
    }),
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: "var(--grad)" },
  { tag: [tags.number, tags.bool], color: "var(--data)" },
  { tag: tags.string, color: "var(--local)" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
]);

const look = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--page)", fontSize: "14px", maxHeight: "58vh" },
  "&.cm-focused": { outline: "2px solid var(--data)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace', overflow: "auto" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--data) 25%, transparent) !important",
  },
  ".playing": { backgroundColor: "var(--active)" },
  ".mistake": { textDecoration: "underline wavy var(--wrong)", backgroundColor: "color-mix(in srgb, var(--wrong) 12%, transparent)" },
});

/** Places count code points, and an editor counts halves of them. */
function within(text, span) {
  if (!span) return null;
  const points = Array.from(text);
  const start = points.slice(0, span[0]).join("").length;
  return [start, start + points.slice(span[0], span[1]).join("").length];
}

globalThis.codeEditor = (host, { changed, run, stood }) => {
  const root = host.attachShadow({ mode: "open" });
  const label = new Compartment();
  const labelled = (text) => label.of(EditorView.contentAttributes.of({ "aria-label": text, tabindex: "0" }));
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      extensions: [
        lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(),
        indentUnit.of("    "), python(), syntaxHighlighting(colours), look, marks, labelled("Program"),
        EditorState.tabSize.of(4),
        keymap.of([{ key: "Mod-Enter", run: () => (run(), true) }, ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"), ...historyKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
          else if (update.selectionSet) {
            const text = update.state.doc.toString();
            stood(Array.from(text.slice(0, update.state.selection.main.head)).length);
          }
        }),
      ],
    }),
  });
  const mark = (kind, span) => view.dispatch({ effects: marked.of({ [kind]: within(view.state.doc.toString(), span) }) });
  return {
    get text() {
      return view.state.doc.toString();
    },
    set text(text) {
      if (text !== view.state.doc.toString()) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    set label(text) {
      view.dispatch({ effects: label.reconfigure(EditorView.contentAttributes.of({ "aria-label": text, tabindex: "0" })) });
    },
    highlight: (span) => mark("playing", span),
    complain: (span) => {
      mark("mistake", span);
      const place = within(view.state.doc.toString(), span);
      if (place) view.dispatch({ effects: EditorView.scrollIntoView(place[0], { y: "center" }) });
    },
    focus: () => view.focus(),
  };
};
