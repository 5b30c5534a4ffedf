// The app: workspace with a root area and a right side, links, secrets, and the plugin's own base class.
import type { Menu } from "./parts";
import { Component, Events } from "./parts";
import type { TFile, Vault, View } from "./notes";
import { Leaf, MarkdownView } from "./notes";

type Make = (leaf: Leaf) => View;

export class Workspace extends Events {
  readonly makers = new Map<string, Make>();
  readonly leaves: Leaf[] = [];
  readonly hovers: Record<string, unknown>[] = [];
  readonly rootSplit = "root";
  readonly rightSplit = "side";
  readonly containerEl = document.body;
  activeEditor: unknown = null;
  layoutReady = false;
  private active: Leaf | null = null;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly app: App) {
    super();
    this.on("hover-link", (payload) => this.hovers.push(payload as Record<string, unknown>));
  }

  ready(): void {
    this.layoutReady = true;
    this.waiting.splice(0).forEach((call) => call());
  }

  onLayoutReady(call: () => void): void {
    if (this.layoutReady) {
      call();
    } else {
      this.waiting.push(call);
    }
  }

  create(type: string, leaf: Leaf): View {
    const make = this.makers.get(type);
    if (make === undefined) {
      throw new Error(`nobody registered the view ${type}`);
    }
    return make(leaf);
  }

  private add(side: boolean): Leaf {
    const leaf = new Leaf(this.app, side);
    this.leaves.push(leaf);
    document.querySelector(side ? "#side" : "#root")?.append(leaf.element);
    // A new tab is told to everyone a little later.
    window.setTimeout(() => this.trigger("layout-change"), 10);
    return leaf;
  }

  getLeaf(kind?: boolean | string): Leaf {
    return kind === undefined || kind === false ? (this.getMostRecentLeaf() ?? this.add(false)) : this.add(false);
  }

  getRightLeaf(): Leaf {
    return this.add(true);
  }

  getMostRecentLeaf(): Leaf | null {
    const root = this.leaves.filter((leaf) => !leaf.side);
    return this.active !== null && !this.active.side ? this.active : (root[root.length - 1] ?? null);
  }

  getLeavesOfType(type: string): Leaf[] {
    return this.leaves.filter((leaf) => leaf.view.getViewType() === type);
  }

  iterateAllLeaves(call: (leaf: Leaf) => void): void {
    this.leaves.forEach(call);
  }

  activated(leaf: Leaf): void {
    this.active = leaf;
    this.trigger("active-leaf-change", leaf);
    if (leaf.view instanceof MarkdownView) {
      this.activeEditor = leaf.view;
      this.trigger("file-open", leaf.view.file);
    }
  }

  setActiveLeaf(leaf: Leaf, how: { focus?: boolean } = {}): void {
    this.activated(leaf);
    if (how.focus === true && leaf.view instanceof MarkdownView) {
      leaf.view.area.focus();
    }
  }

  async revealLeaf(leaf: Leaf): Promise<void> {
    this.activated(leaf);
    return Promise.resolve();
  }

  getActiveFile(): TFile | null {
    const view = this.getMostRecentLeaf()?.view;
    return view instanceof MarkdownView ? view.file : null;
  }

  getActiveViewOfType<Kind extends View>(kind: new (leaf: Leaf) => Kind): Kind | null {
    const view = this.active?.view;
    return view instanceof kind ? view : null;
  }

  showMenu(menu: Menu, file: TFile): void {
    this.trigger("file-menu", menu, file);
  }
}

class FileManager {
  generateMarkdownLink(file: TFile, _source: string, subpath = "", alias = ""): string {
    return `[[${file.basename}${subpath}${alias === "" ? "" : `|${alias}`}]]`;
  }
}

class MetadataCache extends Events {
  constructor(private readonly vault: Vault) {
    super();
  }

  getFirstLinkpathDest(path: string): TFile | null {
    return this.vault.getFileByPath(path);
  }

  getFileCache(file: TFile): { headings: { heading: string; level: number; position: { start: { line: number } } }[] } {
    const lines = (this.vault.texts.get(file.path) ?? "").split("\n");
    return {
      headings: lines.flatMap((line, number) => {
        const found = /^(#+) (.*)$/.exec(line);
        return found === null ? [] : [{ heading: found[2] ?? "", level: found[1]?.length ?? 1, position: { start: { line: number } } }];
      }),
    };
  }

  getTags(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const text of this.vault.texts.values()) {
      for (const [tag] of text.matchAll(/#[\p{L}][\p{L}\p{N}/_-]*/gu)) {
        counts[tag] = (counts[tag] ?? 0) + 1;
      }
    }
    return counts;
  }

  get resolvedLinks(): Record<string, Record<string, number>> {
    const byName = new Map([...this.vault.files.values()].map((file) => [file.basename, file.path]));
    return Object.fromEntries(
      [...this.vault.texts].map(([path, text]) => [
        path,
        Object.fromEntries([...text.matchAll(/\[\[([^\]|#]+)/g)].flatMap(([, name = ""]) => (byName.has(name) ? [[byName.get(name) ?? "", 1]] : []))),
      ]),
    );
  }
}

class Secrets extends Events {
  private readonly held = new Map<string, string>();

  getSecret(id: string): string | null {
    return this.held.get(id) ?? null;
  }

  setSecret(id: string, secret: string): void {
    this.held.set(id, secret);
  }

  listSecrets(): string[] {
    return [...this.held.keys()];
  }
}

export class App {
  readonly workspace = new Workspace(this);
  readonly fileManager = new FileManager();
  readonly metadataCache: MetadataCache;
  readonly secretStorage = new Secrets();
  readonly setting = { open: () => undefined, openTabById: () => undefined };
  private readonly local = new Map<string, unknown>();

  constructor(readonly vault: Vault) {
    this.metadataCache = new MetadataCache(vault);
  }

  loadLocalStorage(key: string): unknown {
    return this.local.get(key) ?? null;
  }

  saveLocalStorage(key: string, value: unknown): void {
    this.local.set(key, value);
  }
}

interface Command {
  readonly id: string;
  readonly name: string;
  readonly callback?: () => unknown;
  readonly checkCallback?: (checking: boolean) => boolean;
  readonly editorCallback?: (editor: unknown, view: unknown) => unknown;
}

export class Plugin extends Component {
  readonly commands = new Map<string, Command>();
  readonly tabs: unknown[] = [];

  constructor(readonly app: App, readonly manifest: { id: string; version: string }) {
    super();
  }

  private data: unknown = null;

  async loadData(): Promise<unknown> {
    return Promise.resolve(this.data);
  }

  async saveData(data: unknown): Promise<void> {
    this.data = structuredClone(data);
    return Promise.resolve();
  }

  addCommand(command: Command): Command {
    this.commands.set(command.id, command);
    return command;
  }

  addRibbonIcon(_icon: string, title: string, call: () => void): HTMLElement {
    const made = document.createElement("button");
    made.ariaLabel = title;
    made.addEventListener("click", call);
    document.querySelector("#ribbon")?.append(made);
    return made;
  }

  addStatusBarItem(): HTMLElement {
    const made = document.createElement("div");
    made.className = "status-bar-item";
    document.querySelector("#status")?.append(made);
    return made;
  }

  addSettingTab(tab: unknown): void {
    this.tabs.push(tab);
  }

  registerView(type: string, make: Make): void {
    this.app.workspace.makers.set(type, make);
  }

  registerHoverLinkSource(): void {
    return undefined;
  }

  registerObsidianProtocolHandler(): void {
    return undefined;
  }
}
