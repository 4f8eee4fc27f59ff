// What only the pages of this folder speak of.  Only the type checker reads this file.

/** The editor for Python, which code_editor.mjs makes out of CodeMirror. */
interface CodeEditor {
  text: string;
  label: string; // what it is called by those who do not see it
  highlight(span: Span | null): void; // the expression that is played
  complain(span: Span | null): void; // where the program is wrong
  focus(): void;
}

declare function codeEditor(
  host: HTMLElement,
  notices: { changed: (text: string) => void; run: () => void; stood: (place: number) => void },
): CodeEditor;

/** The engines of the doctor's menu, which pages.py puts there. */
declare const ENGINES: readonly { key: string; text: string }[];
