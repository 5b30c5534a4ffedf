/** The search pane as a view that stays open. Must not do more than hold it. */

import type { ViewStateResult, WorkspaceLeaf } from "obsidian";
import { ItemView } from "obsidian";
import type { Companion } from "../companion";
import { lastNote } from "../platform/editing";
import { SearchPane } from "./search-pane";

export const SEARCH_VIEW = "holovault-search";

export class SearchView extends ItemView {
  override navigation = false;
  override icon = "search";
  private pane: SearchPane | null = null;

  constructor(
    leaf: WorkspaceLeaf,
    private readonly companion: Companion,
  ) {
    super(leaf);
  }

  override getViewType(): string {
    return SEARCH_VIEW;
  }

  override getDisplayText(): string {
    return "Holovault search";
  }

  override getState(): Record<string, unknown> {
    return { ...super.getState(), query: this.pane?.query ?? "" };
  }

  override async setState(state: unknown, result: ViewStateResult): Promise<void> {
    const query = typeof state === "object" && state !== null && "query" in state ? state.query : null;
    if (typeof query === "string" && query !== "") {
      this.pane?.ask(query);
    }
    await super.setState(state, result);
  }

  override onOpen(): Promise<void> {
    this.contentEl.empty();
    this.pane = new SearchPane(this.contentEl, this.companion, { owner: this, parent: this.leaf, leave: () => this.leave() });
    return Promise.resolve();
  }

  override onClose(): Promise<void> {
    this.pane = null;
    this.contentEl.empty();
    return Promise.resolve();
  }

  /** Puts the cursor into the field; `query` is asked for first. */
  focus(query = ""): void {
    if (query !== "") {
      this.pane?.ask(query);
    }
    this.pane?.focus();
  }

  private leave(): void {
    const note = lastNote(this.app);
    if (note !== null) {
      this.app.workspace.setActiveLeaf(note.leaf, { focus: true });
    }
  }
}
