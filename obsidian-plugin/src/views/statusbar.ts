/** The item in the status bar: where things stand in two words, and the details at a click. */

import type { App } from "obsidian";
import { Modal, setIcon, setTooltip } from "obsidian";
import type { Companion } from "../companion";
import type { Step } from "../core/situations";
import { tell } from "../core/situations";
import { StateBox } from "./statebox";

/** Fills `item` and keeps it up to date. What it returns ends that. */
export function fillStatusBar(item: HTMLElement, companion: Companion): () => void {
  item.addClass("hv-status-item", "mod-clickable");
  item.setAttr("role", "button");
  item.setAttr("tabindex", "0");
  const icon = item.createSpan({ attr: { "aria-hidden": "true" } });
  const text = item.createSpan();
  const show = () => {
    const told = tell(companion.connection.situation.value);
    const shown = companion.settings.statusBar;
    item.toggle(shown);
    if (!shown) {
      return;
    }
    setIcon(icon, told.icon);
    text.setText(told.kind === "ready" ? "Holovault" : told.title);
    item.setAttr("data-tone", told.tone);
    item.setAttr("aria-label", `Holovault: ${told.title}. ${told.sentence}`);
    setTooltip(item, `${told.title}. ${told.sentence}`, { placement: "top" });
  };
  const open = () => new DetailsModal(companion.app, companion).open();
  item.addEventListener("click", open);
  item.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      open();
    }
  });
  const ends = [companion.connection.situation.subscribe(show), companion.settled.subscribe(show)];
  show();
  return () => ends.forEach((end) => end());
}

/** What the daemon says of itself, with the failures one by one. */
export class DetailsModal extends Modal {
  private readonly ends: (() => void)[] = [];

  constructor(
    app: App,
    private readonly companion: Companion,
  ) {
    super(app);
  }

  override onOpen(): void {
    this.modalEl.addClass("hv-details");
    this.titleEl.setText("Holovault");
    const box = new StateBox(this.contentEl, (step) => this.act(step));
    const facts = this.contentEl.createDiv({ cls: "hv-details-facts" });
    const show = () => {
      box.show(tell(this.companion.connection.situation.value));
      this.fill(facts);
    };
    this.ends.push(this.companion.connection.situation.subscribe(show), this.companion.connection.status.subscribe(show));
    show();
    void this.companion.connection.refresh();
  }

  override onClose(): void {
    this.ends.splice(0).forEach((end) => end());
    this.contentEl.empty();
  }

  private act(step: Step): void {
    if (step === "settings") {
      this.close();
    }
    void this.companion.act(step);
  }

  private fill(parent: HTMLElement): void {
    parent.empty();
    const status = this.companion.connection.status.value;
    if (status === null) {
      return;
    }
    const { model } = status;
    const waiting = status.pending === 0 ? "" : `, ${status.pending.toLocaleString("en")} waiting for meaning`;
    parent.createEl("p", { text: `${status.files.toLocaleString("en")} notes in ${status.chunks.toLocaleString("en")} passages${waiting}.` });
    parent.createEl("p", { text: `Holovault ${status.version}, ${model.provider === "none" ? "words only" : `model ${model.name}, ${model.state}`}.` });
    const failures = status.failures ?? [];
    if (failures.length > 0) {
      const list = parent.createEl("ul");
      failures.slice(0, SHOWN).forEach(({ path, reason }) => list.createEl("li", { text: `${path}: ${reason}` }));
      if (failures.length > SHOWN) {
        parent.createEl("p", { text: `And ${String(failures.length - SHOWN)} more, with: holovault status` });
      }
    }
    const copy = parent.createEl("button", { text: "Copy diagnostics", attr: { type: "button" } });
    copy.addEventListener("click", () => void this.companion.copyDiagnostics());
  }
}

const SHOWN = 50;
