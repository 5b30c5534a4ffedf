/** The tray below a list: what was collected, and the ways out of it. Must not decide what a bundle looks like. */

import { setTooltip } from "obsidian";
import type { Companion } from "../companion";

export class TrayBar {
  private readonly box: HTMLElement;
  private readonly end: () => void;

  constructor(
    parent: HTMLElement,
    private readonly companion: Companion,
    private readonly question: () => string,
  ) {
    this.box = parent.createDiv({ cls: "hv-tray", attr: { role: "region", "aria-label": "Collected passages" } });
    this.end = companion.tray.rows.subscribe(() => this.show());
    this.show();
  }

  close(): void {
    this.end();
  }

  private show(): void {
    const { tray, passages } = this.companion;
    const rows = tray.rows.value;
    this.box.empty();
    this.box.toggleClass("is-shown", rows.length > 0);
    if (rows.length === 0) {
      return;
    }
    const bar = this.box.createDiv({ cls: "hv-bar" });
    bar.createSpan({ cls: "hv-title hv-grow", text: `${String(rows.length)} collected`, attr: { "aria-live": "polite" } });
    this.button(bar, "Copy for a chat", () => void this.companion.copyTray(this.question()));
    this.button(bar, "Insert links", () => void passages.insertLinks(rows));
    this.button(bar, "Clear", () => tray.clear());
    const chips = this.box.createDiv({ cls: "hv-chips" });
    for (const row of rows) {
      const chip = chips.createEl("button", { cls: "hv-chip", text: `${row.title} ${row.lines} ×`, attr: { type: "button", "aria-label": `Take out ${row.title}, ${row.lines}` } });
      setTooltip(chip, row.path);
      chip.addEventListener("click", () => tray.remove(row.key));
    }
  }

  private button(parent: HTMLElement, text: string, act: () => void): void {
    parent.createEl("button", { cls: "hv-button", text, attr: { type: "button" } }).addEventListener("click", act);
  }
}
