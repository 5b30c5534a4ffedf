/** The search pane in a window over the notes: gone after a passage was opened. */

import type { App } from "obsidian";
import { Component, Modal } from "obsidian";
import type { Companion } from "../companion";
import { SearchPane } from "./search-pane";

export class QuickModal extends Modal {
  private readonly owner = new Component();

  constructor(
    app: App,
    private readonly companion: Companion,
    private readonly query: string,
  ) {
    super(app);
  }

  override onOpen(): void {
    this.modalEl.addClass("hv-quick");
    this.owner.load();
    const close = () => this.close();
    const pane = new SearchPane(this.contentEl, this.companion, { owner: this.owner, parent: { hoverPopover: null }, leave: close, opened: close });
    if (this.query !== "") {
      pane.ask(this.query);
    }
    this.companion.connection.watch(true);
    pane.focus();
  }

  override onClose(): void {
    this.owner.unload();
    this.contentEl.empty();
    this.companion.watch();
  }
}
