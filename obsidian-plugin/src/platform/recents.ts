/** Searches made lately in this vault, kept on this device alone. */

import type { App } from "obsidian";
import { addRecent, readRecents } from "../core/search/recents";

const STORED = "holovault-recents";

export class Recents {
  constructor(private readonly app: App) {}

  get list(): readonly string[] {
    return readRecents(this.app.loadLocalStorage(STORED));
  }

  remember(query: string): void {
    this.app.saveLocalStorage(STORED, addRecent(this.list, query));
  }
}
