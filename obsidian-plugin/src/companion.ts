/** What all panes share: the connection, the settings, and what can be done about a state. Owned by the plugin; must not draw anything. */

import type { App } from "obsidian";
import { apiVersion, Notice, Platform } from "obsidian";
import type { Connection } from "./core/connection";
import { diagnostics } from "./core/diagnostics";
import type { Cell, Readable } from "./core/observable";
import { problemOf } from "./core/problems";
import type { IndexRequest } from "./core/protocol";
import type { Row } from "./core/rows";
import type { Settings } from "./core/settings";
import { readSettings } from "./core/settings";
import type { Step } from "./core/situations";
import { Tray } from "./core/tray";
import { Recents } from "./platform/recents";
import { tokenOf } from "./platform/secrets";
import { startSidecar, vaultFolder } from "./platform/sidecar";
import { copy, Passages } from "./views/passages";

export interface Store {
  save(settings: Settings): Promise<void>;
  readonly version: string;
}

export class Companion {
  readonly passages: Passages;
  readonly tray = new Tray();
  readonly recents: Recents;
  private waiting = 0;

  constructor(
    readonly app: App,
    readonly connection: Connection,
    private readonly cell: Cell<Settings>,
    private readonly store: Store,
    /** Says again whether anything of ours can be seen. */
    readonly watch: () => void,
  ) {
    this.recents = new Recents(app);
    this.passages = new Passages(app, () => this.settings.openIn);
  }

  get settings(): Settings {
    return this.cell.value;
  }

  get settled(): Readable<Settings> {
    return this.cell;
  }

  async change(changed: Partial<Settings>): Promise<void> {
    const before = this.settings;
    this.cell.set(readSettings({ ...before, ...changed }));
    await this.store.save(this.settings);
    if (RECONNECT.some((name) => before[name] !== this.settings[name])) {
      this.reconnect();
    }
  }

  token(): string {
    return tokenOf(this.app).get();
  }

  setToken(token: string): void {
    tokenOf(this.app).set(token);
    this.reconnect();
  }

  /** Ends what waits. */
  close(): void {
    window.clearTimeout(this.waiting);
  }

  /** A half-typed address is no address: asked only after a pause. */
  private reconnect(): void {
    window.clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => this.connection.start(this.settings), TYPED_MS);
  }

  async test(): Promise<string> {
    const told = await this.connection.test(this.settings);
    return `${told.title}. ${told.sentence}`;
  }

  async copyDiagnostics(): Promise<string> {
    const { situation, status } = this.connection;
    const text = diagnostics({ plugin: this.store.version, obsidian: apiVersion, platform: platform(), settings: this.settings, situation: situation.value, status: status.value, hasToken: this.token() !== "" });
    await copy(text, "Diagnostics copied.");
    return "Copied. They hold no token, no query and no text of a note.";
  }

  /** Copies what was collected as one text for a chat, with the question that led there; says so where it cannot. */
  async copyTray(question: string): Promise<void> {
    const read = async (row: Row) => {
      const found = await this.passages.read(row);
      if (found === null) {
        throw new Error(`${row.path} is gone`);
      }
      return found.text;
    };
    try {
      await copy(await this.tray.bundle(read, question), "Copied: paste it into a chat.");
    } catch (error) {
      this.complain(error);
    }
  }

  /** Runs the command of the settings, on a desktop, and waits for the daemon to answer. */
  async start(): Promise<void> {
    const folder = vaultFolder(this.app);
    if (folder === null) {
      new Notice("Only a computer can start the sidecar. Start it where the daemon runs.");
      return;
    }
    this.connection.starting();
    const problem = await startSidecar(this.settings.command, folder, this.settings.homeFolder);
    if (problem !== null) {
      new Notice(problem);
    }
    await this.connection.retry();
  }

  /** Takes the next step that a state names. */
  async act(step: Step): Promise<void> {
    switch (step) {
      case "start":
        return this.start();
      case "retry":
        return this.connection.retry();
      case "settings":
        this.openSettings();
        return;
      case "index":
        return this.index({ wait: false });
      case "retry-failed":
        return this.index({ wait: false, retry_failed: true });
      case "diagnostics":
        await this.copyDiagnostics();
        return;
      case "show-hidden":
      case "none":
        return;
    }
  }

  /** Says in a notice why something that a person asked for did not work. */
  complain(error: unknown): void {
    new Notice(problemOf(error).message);
  }

  openSettings(): void {
    // No public way leads to one plugin's settings.
    const { setting } = this.app as { setting?: { open(): void; openTabById(id: string): void } };
    setting?.open();
    setting?.openTabById("holovault");
  }

  private async index(request: IndexRequest): Promise<void> {
    try {
      await this.connection.ask((daemon) => daemon.index(request));
      await this.connection.refresh();
    } catch (error) {
      this.complain(error);
    }
  }
}

const TYPED_MS = 700;
const RECONNECT = ["connect", "homeFolder", "url", "vaultName"] as const;

function platform(): string {
  const names = { desktop: Platform.isDesktopApp, mobile: Platform.isMobileApp, Windows: Platform.isWin, macOS: Platform.isMacOS, Linux: Platform.isLinux };
  return Object.entries(names).filter(([, on]) => on).map(([name]) => name).join(" ");
}
