// Files, links and the leaf that shows a note, in editing and in reading view.
import { Component, Events } from "./parts";
import { sectionsOf, showSection } from "./preview";

export class TAbstractFile {
  constructor(readonly path: string) {}

  get name(): string {
    return this.path.slice(this.path.lastIndexOf("/") + 1);
  }
}

export class TFile extends TAbstractFile {
  readonly extension = "md";

  get basename(): string {
    return this.name.replace(/\.md$/, "");
  }
}

export class TFolder extends TAbstractFile {}

/** Notes of the vault as the test hands them over; the daemon watches the same files on disk. */
export class Vault extends Events {
  readonly configDir = ".obsidian";
  readonly files = new Map<string, TFile>();

  constructor(readonly texts: Map<string, string>, readonly base: string) {
    super();
    for (const path of texts.keys()) {
      this.files.set(path, new TFile(path));
    }
  }

  readonly adapter = { getBasePath: () => this.base, getFullPath: (path: string) => `${this.base}/${path}` };

  getName(): string {
    return this.base.slice(this.base.lastIndexOf("/") + 1);
  }

  getFileByPath(path: string): TFile | null {
    return this.files.get(path) ?? null;
  }

  getAbstractFileByPath(path: string): TFile | null {
    return this.getFileByPath(path);
  }

  getMarkdownFiles(): TFile[] {
    return [...this.files.values()];
  }

  getAllFolders(): TFolder[] {
    return [...new Set([...this.files.keys()].map((path) => path.slice(0, Math.max(0, path.lastIndexOf("/")))))].filter((path) => path !== "").map((path) => new TFolder(path));
  }

  async cachedRead(file: TFile): Promise<string> {
    return Promise.resolve(this.texts.get(file.path) ?? "");
  }

  async read(file: TFile): Promise<string> {
    return this.cachedRead(file);
  }
}

export class Editor {
  constructor(private readonly area: HTMLTextAreaElement) {}

  getValue(): string {
    return this.area.value;
  }

  getSelection(): string {
    return this.area.value.slice(this.area.selectionStart, this.area.selectionEnd);
  }

  somethingSelected(): boolean {
    return this.getSelection() !== "";
  }

  getCursor(): { line: number; ch: number } {
    const before = this.area.value.slice(0, this.area.selectionStart).split("\n");
    return { line: before.length - 1, ch: before[before.length - 1]?.length ?? 0 };
  }

  replaceSelection(text: string): void {
    this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, "end");
  }

  focus(): void {
    this.area.focus();
  }
}

export class View extends Component {
  navigation = true;
  icon = "";
  readonly containerEl = document.createElement("div");

  constructor(readonly leaf: Leaf) {
    super();
  }

  get app(): unknown {
    return this.leaf.app;
  }

  getViewType(): string {
    return "";
  }

  getDisplayText(): string {
    return "";
  }

  getState(): Record<string, unknown> {
    return {};
  }

  async setState(_state: unknown): Promise<void> {
    return Promise.resolve();
  }

  protected async onOpen(): Promise<void> {
    return Promise.resolve();
  }

  protected async onClose(): Promise<void> {
    return Promise.resolve();
  }

  async start(): Promise<void> {
    this.load();
    this.leaf.element.replaceChildren(this.containerEl);
    await this.onOpen();
  }

  async end(): Promise<void> {
    await this.onClose();
    this.unload();
  }
}

export class ItemView extends View {
  readonly contentEl = document.createElement("div");

  constructor(leaf: Leaf) {
    super(leaf);
    this.containerEl.className = "workspace-leaf-content";
    this.contentEl.className = "view-content";
    this.containerEl.append(this.contentEl);
  }

  addAction(_icon: string, title: string, call: () => void): HTMLElement {
    const made = document.createElement("button");
    made.ariaLabel = title;
    made.addEventListener("click", call);
    this.containerEl.prepend(made);
    return made;
  }
}

/** Where a view is to look: `line` counts from 0. */
interface Ephemeral {
  readonly line?: number;
  readonly match?: { readonly content: string; readonly matches: readonly (readonly [number, number])[] };
}

/** A note in its editing view or its reading view: one of both is there at a time, and a place is shown in that one. */
export class MarkdownView extends View {
  file: TFile | null = null;
  private mode = "source";
  readonly area = document.createElement("textarea");
  readonly lines = document.createElement("div");
  readonly preview = document.createElement("div");
  readonly editor = new Editor(this.area);

  override getViewType(): string {
    return "markdown";
  }

  override getState(): Record<string, unknown> {
    return { file: this.file?.path ?? null, mode: this.mode };
  }

  /** As Obsidian's: a state that names no mode leaves the mode as it is. */
  override async setState({ mode = this.mode }: { readonly mode?: string }): Promise<void> {
    this.mode = mode;
    this.draw();
    return Promise.resolve();
  }

  getMode(): string {
    return this.mode;
  }

  show(file: TFile, text: string): void {
    this.file = file;
    this.area.value = text;
    this.area.className = "note-source";
    this.draw();
  }

  private draw(): void {
    this.lines.className = "note-lines";
    this.lines.replaceChildren(...this.area.value.split("\n").map((line, number) => lineOf(line, number)));
    this.preview.className = "markdown-preview-view markdown-rendered";
    this.preview.replaceChildren(...sectionsOf(this.area.value));
    this.containerEl.replaceChildren(...(this.mode === "preview" ? [this.preview] : [this.lines, this.area]));
  }

  setEphemeralState(state: Ephemeral): void {
    if (this.mode === "preview") {
      showSection(this.preview, state.line);
    } else {
      this.showLine(state);
    }
  }

  private showLine(state: Ephemeral): void {
    const [from, to] = state.match?.matches[0] ?? [-1, -1];
    let offset = 0;
    for (const shown of this.lines.children) {
      const line = shown.textContent;
      shown.classList.toggle("is-flashing", offset + line.length > from && offset < to && line !== "");
      offset += line.length + 1;
    }
    this.lines.children[state.line ?? 0]?.scrollIntoView({ block: "center" });
  }
}

function lineOf(text: string, number: number): HTMLElement {
  const shown = document.createElement("div");
  shown.className = "note-line";
  shown.dataset["line"] = String(number);
  shown.textContent = text;
  return shown;
}

interface OpenState {
  readonly active?: boolean;
  readonly state?: { readonly mode?: string };
  readonly eState?: Ephemeral;
}

/** A tab. */
export class Leaf extends Events {
  view: View = new View(this);
  readonly element = document.createElement("div");
  readonly isDeferred = false;

  constructor(readonly app: { workspace: { activated(leaf: Leaf): void; create(type: string, leaf: Leaf): View }; vault: Vault }, readonly side: boolean) {
    super();
    this.element.className = "workspace-leaf";
  }

  getRoot(): unknown {
    return this.side ? "side" : "root";
  }

  async openFile(file: TFile, state: OpenState = {}): Promise<void> {
    const shown = this.view instanceof MarkdownView ? this.view : new MarkdownView(this);
    if (shown !== this.view) {
      this.view = shown;
      await shown.start();
    }
    shown.show(file, await this.app.vault.cachedRead(file));
    await shown.setState(state.state ?? {});
    shown.setEphemeralState(state.eState ?? {});
    if (state.active !== false) {
      this.app.workspace.activated(this);
    }
  }

  getViewState(): { type: string } {
    return { type: this.view.getViewType() };
  }

  async setViewState(state: { type: string; active?: boolean; state?: unknown }): Promise<void> {
    await this.view.end();
    this.view = this.app.workspace.create(state.type, this);
    await this.view.start();
    await this.view.setState(state.state ?? {});
    if (state.active === true) {
      this.app.workspace.activated(this);
    }
  }

  async loadIfDeferred(): Promise<void> {
    return Promise.resolve();
  }

  detach(): void {
    void this.view.end();
    this.element.remove();
  }
}
