"use strict";
/*
 * What is on the screen as a file: the server makes it, the browser saves it.
 */

const FORMATS = /** @type {const} */ (["svg", "png", "html", "md", "tex", "json"]);

class ExportButtons {
  /** @param {(format: string, theme: string) => void} asked */
  constructor(asked) {
    const themes = ["light", "dark"].map((theme) => sentence("option", `studio.theme.${theme}`, { value: theme }));
    this.theme = build("select", { id: "export-theme" }, ...themes);
    this.said = build("p", { class: "note", role: "status" });
    const buttons = FORMATS.map((format) => {
      const button = build(
        "button",
        { type: "button", class: "format", "data-format": format },
        build("b", {}, format.toUpperCase()),
        sentence("span", `studio.export.${format}`, { class: "note" }),
      );
      button.addEventListener("click", () => {
        this.said.textContent = say("studio.export.wait");
        asked(format, this.theme.value);
      });
      return button;
    });
    this.element = build(
      "div",
      { class: "exports" },
      sentence("p", "studio.export.lead", { class: "lead" }),
      build("div", { class: "formats" }, ...buttons),
      build("p", { class: "line" }, labelOf(this.theme, "studio.export.theme"), this.theme),
      this.said,
    );
  }

  /** @param {Answer} answer */
  show(answer) {
    if (!answer.ok) {
      this.said.textContent = answer.error?.message ?? "";
      return;
    }
    const packed = answer.encoding === "base64";
    const bytes = packed ? Uint8Array.from(atob(answer.body), (letter) => letter.charCodeAt(0)) : answer.body;
    const url = URL.createObjectURL(new Blob([bytes], { type: answer.type }));
    const link = build("a", { href: url, download: answer.name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
    this.said.textContent = say("studio.export.saved", { name: answer.name });
  }
}
