/** One state with its next step, shown above a list that stays. Must not decide which state it is. */

import { setIcon } from "obsidian";
import type { Step, Told } from "../core/situations";

export class StateBox {
  private readonly box: HTMLElement;
  private shown = "";

  constructor(
    parent: HTMLElement,
    private readonly act: (step: Step) => void,
  ) {
    this.box = parent.createDiv({ cls: "hv-state", attr: { role: "status" } });
  }

  /** Shows a state, or nothing. The same state again changes nothing on the screen. */
  show(told: Told | null): void {
    const key = told === null ? "" : [told.title, told.sentence, told.step].join("\n");
    if (key === this.shown) {
      return;
    }
    this.shown = key;
    this.box.empty();
    this.box.toggleClass("is-shown", told !== null);
    if (told !== null) {
      this.fill(told);
    }
  }

  private fill(told: Told): void {
    this.box.setAttr("data-tone", told.tone);
    this.box.setAttr("data-kind", told.kind);
    const head = this.box.createDiv({ cls: "hv-state-head" });
    setIcon(head.createSpan({ cls: "hv-state-icon", attr: { "aria-hidden": "true" } }), told.icon);
    head.createSpan({ text: told.title });
    this.box.createDiv({ text: told.sentence });
    if (told.step !== "none") {
      const { step } = told;
      const button = this.box.createEl("button", { text: told.label, attr: { type: "button" } });
      button.addEventListener("click", () => this.act(step));
    }
  }
}
