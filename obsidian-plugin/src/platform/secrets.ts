/** Tokens of daemons elsewhere, kept in Obsidian's secret storage, or on this device alone where it has none. Never in data.json. */

import type { App } from "obsidian";
import { TOKEN_SECRET } from "../core/settings";



export interface Secrets {
  get(): string;
  set(token: string): void;
}

/** The token of this vault's remote daemon; "" where none is set. */
export function tokenOf(app: App): Secrets {
  // Obsidian before 1.11.4 and some mobile builds have no secret storage.
  const storage = (app as { secretStorage?: App["secretStorage"] }).secretStorage;
  if (storage === undefined) {
    return {
      get: () => textOf(app.loadLocalStorage(TOKEN_SECRET)),
      set: (token) => app.saveLocalStorage(TOKEN_SECRET, token === "" ? null : token),
    };
  }
  return { get: () => storage.getSecret(TOKEN_SECRET) ?? "", set: (token) => storage.setSecret(TOKEN_SECRET, token) };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
