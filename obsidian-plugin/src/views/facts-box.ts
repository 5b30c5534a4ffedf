/** The facts that stand in the note that is read, each with what a person can do about it. Must not decide anything about facts. */

import { Notice, setTooltip } from "obsidian";
import type { Companion } from "../companion";
import { plain } from "../core/excerpt";
import type { NoteFacts } from "../core/notefacts";
import type { Fact } from "../core/protocol";
import { readable } from "../core/readable";

export class FactsBox {
  private readonly box: HTMLDetailsElement;
  private readonly body: HTMLElement;
  private readonly head: HTMLElement;
  private readonly end: () => void;
  private editing: string | null = null;
  private shown = "";

  constructor(
    parent: HTMLElement,
    private readonly facts: NoteFacts,
    private readonly companion: Companion,
  ) {
    this.box = parent.createEl("details", { cls: "hv-facts" });
    this.head = this.box.createEl("summary", { cls: "hv-section" });
    this.body = this.box.createDiv({ cls: "hv-facts-list" });
    this.end = facts.state.subscribe(() => this.show());
    this.show();
  }

  close(): void {
    this.end();
  }

  private show(): void {
    const { facts } = this.facts.state.value;
    const stamp = JSON.stringify([facts, this.editing]);
    this.box.toggle(facts.length > 0);
    if (stamp === this.shown) {
      return;
    }
    this.shown = stamp;
    this.head.setText(`Facts in this note (${String(facts.length)})`);
    this.body.empty();
    facts.forEach((fact) => this.draw(fact));
  }

  private draw(fact: Fact): void {
    const row = this.body.createDiv({ cls: "hv-fact", attr: { "data-fact": fact.id } });
    if (this.editing === fact.id) {
      this.drawEditor(row, fact);
      return;
    }
    row.createDiv({ cls: "hv-fact-text", text: plain(readable([{ text: fact.text, marked: false }])), attr: { dir: "auto" } });
    const trust = row.createDiv({ cls: "hv-row-where", text: `${fact.category} · trust ${fact.trust.toFixed(2)}` });
    setTooltip(trust, `${String(fact.helpful)} helpful, ${String(fact.unhelpful)} unhelpful`);
    const bar = row.createDiv({ cls: "hv-bar" });
    this.button(bar, "Helpful", () => this.vote(fact, "helpful"));
    this.button(bar, "Not helpful", () => this.vote(fact, "unhelpful"));
    this.button(bar, "Edit", () => this.edit(fact.id));
    this.button(bar, "Forget", (button) => this.forget(fact, button));
  }

  private drawEditor(row: HTMLElement, fact: Fact): void {
    const area = row.createEl("textarea", { attr: { "aria-label": "Text of the fact", dir: "auto" } });
    area.value = fact.text;
    const bar = row.createDiv({ cls: "hv-bar" });
    this.button(bar, "Save", async () => {
      await this.facts.correct(fact, area.value);
      this.edit(null);
    });
    this.button(bar, "Cancel", () => this.edit(null));
    area.focus();
  }

  private edit(id: string | null): void {
    this.editing = id;
    this.show();
  }

  private async vote(fact: Fact, vote: "helpful" | "unhelpful"): Promise<void> {
    const done = await this.facts.vote(fact, vote);
    new Notice(`Trust is ${done.fact.trust.toFixed(2)} now.`);
  }

  /** Asks once more on the button itself. */
  private async forget(fact: Fact, button: HTMLElement): Promise<void> {
    if (button.dataset["sure"] !== "yes") {
      button.dataset["sure"] = "yes";
      button.setText("Remove its line?");
      return;
    }
    await this.facts.forget(fact);
  }

  private button(parent: HTMLElement, text: string, act: (button: HTMLElement) => void | Promise<void>): void {
    const button = parent.createEl("button", { cls: "hv-button", text, attr: { type: "button" } });
    button.addEventListener("click", () => {
      Promise.resolve(act(button)).catch((error: unknown) => this.companion.complain(error));
    });
  }
}
