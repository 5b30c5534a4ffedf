/** What is related to the note that is read, and the facts in it. Must not decide what is related. */

import type { Menu, WorkspaceLeaf } from "obsidian";
import { debounce, ItemView, MarkdownView } from "obsidian";
import type { Companion } from "../companion";
import { NoteFacts } from "../core/notefacts";
import type { LinkRow, RelatedOptions, RelatedRow, RelatedState } from "../core/related";
import { RelatedSession } from "../core/related";
import type { Row } from "../core/rows";
import type { Step } from "../core/situations";
import { answers, tell } from "../core/situations";
import { lastNote } from "../platform/editing";
import { timers } from "../platform/ports";
import { mutesOf, sourcesOf } from "../platform/sources";
import { FactsBox } from "./facts-box";
import { attend } from "./hands";
import { PassageList, shownOf } from "./list";
import { StateBox } from "./statebox";
import { TrayBar } from "./traybar";

export const RELATED_VIEW = "holovault-related";

const CURSOR_MS = 400;

interface Parts {
  readonly title: HTMLElement;
  readonly pin: HTMLElement;
  readonly linked: HTMLElement;
  readonly whole: HTMLElement;
  readonly muted: HTMLElement;
  readonly box: StateBox;
  readonly live: HTMLElement;
  readonly list: PassageList;
}

let lists = 0;

export class RelatedView extends ItemView {
  override navigation = false;
  override icon = "waypoints";
  private session: RelatedSession | null = null;
  private facts: NoteFacts | null = null;
  private parts: Parts | null = null;

  constructor(
    leaf: WorkspaceLeaf,
    private readonly companion: Companion,
  ) {
    super(leaf);
  }

  override getViewType(): string {
    return RELATED_VIEW;
  }

  override getDisplayText(): string {
    return "Related notes";
  }

  override onOpen(): Promise<void> {
    const { connection } = this.companion;
    this.session = new RelatedSession(connection, timers, sourcesOf(this.app), mutesOf(this.app), this.options());
    this.facts = new NoteFacts(connection);
    this.contentEl.empty();
    this.contentEl.addClass("hv-pane");
    this.parts = this.build(this.contentEl);
    this.listen(this.session);
    this.followNote();
    this.show();
    return Promise.resolve();
  }

  override onClose(): Promise<void> {
    this.session?.close();
    this.facts?.close();
    this.session = null;
    this.facts = null;
    this.parts = null;
    this.contentEl.empty();
    return Promise.resolve();
  }

  /** Shows what is related to a text of the note at `path`. */
  relateTo(text: string, path: string): void {
    this.session?.follow(path);
    this.session?.select(text);
  }

  /** Keeps what is shown whatever note is active, or follows again. */
  togglePin(): void {
    this.session?.pin(!this.session.state.value.pinned);
  }

  private options(): RelatedOptions {
    const { minScore, hideLinked, followCursor, limit } = this.companion.settings;
    return { minScore, hideLinked, followCursor, limit };
  }

  private build(root: HTMLElement): Parts {
    const head = root.createDiv({ cls: "hv-head" });
    const title = head.createDiv({ cls: "hv-title", attr: { dir: "auto" } });
    const bar = head.createDiv({ cls: "hv-bar" });
    const button = (text: string, act: () => void) => {
      const made = bar.createEl("button", { cls: "hv-button", text, attr: { type: "button" } });
      made.addEventListener("click", act);
      return made;
    };
    const pin = button("Pin", () => this.togglePin());
    const linked = button("Hide linked", () => void this.companion.change({ hideLinked: !this.companion.settings.hideLinked }));
    const whole = button("Whole note", () => this.session?.select(null));
    const muted = button("Unmute all", () => this.session?.unmuteAll());
    const box = new StateBox(head, (step) => this.act(step));
    const live = head.createDiv({ cls: "hv-live", attr: { "aria-live": "polite", role: "status", dir: "auto" } });
    const list = new PassageList(root, `hv-related-${String(lists++)}`, "Related passages");
    if (this.facts !== null) {
      const facts = new FactsBox(root, this.facts, this.companion);
      this.register(() => facts.close());
    }
    const tray = new TrayBar(root, this.companion, () => "");
    this.register(() => tray.close());
    return { title, pin, linked, whole, muted, box, live, list };
  }

  private listen(session: RelatedSession): void {
    const { workspace, vault, metadataCache } = this.app;
    const { connection, tray, settled } = this.companion;
    const cursor = debounce(() => this.followNote(), CURSOR_MS, true);
    this.registerEvent(workspace.on("active-leaf-change", () => this.followNote()));
    this.registerEvent(workspace.on("file-open", () => this.followNote()));
    this.registerEvent(workspace.on("layout-change", () => this.followNote()));
    this.registerEvent(workspace.on("editor-change", () => cursor()));
    this.registerEvent(vault.on("rename", () => this.followNote()));
    this.registerEvent(metadataCache.on("resolved", () => session.configure(this.options())));
    // Moving the cursor is no event of the workspace.
    this.registerDomEvent(this.contentEl.doc, "selectionchange", () => cursor());
    [session.state.subscribe(() => this.show()), connection.situation.subscribe(() => this.show()), tray.rows.subscribe(() => this.show())].forEach((end) => this.register(end));
    this.register(
      settled.subscribe(() => {
        session.configure(this.options());
        this.show();
      }),
    );
    if (this.parts !== null) {
      attend(this, this.contentEl, this.leaf, {
        list: this.parts.list,
        passages: this.companion.passages,
        rows: () => rows(session.state.value),
        collect: (row) => tray.toggle(row),
        collected: (row) => tray.has(row.key),
        leave: () => this.leave(),
        more: (menu, row) => this.addMute(menu, row),
      });
    }
  }

  private addMute(menu: Menu, row: Row): void {
    menu.addItem((item) => item.setTitle("Mute beside this note").setIcon("eye-off").onClick(() => this.session?.mute(row.path)));
  }

  /** The note used last, also while this pane has the focus; nothing while nobody can see the pane. */
  private followNote(): void {
    if (this.session === null || !this.containerEl.isShown()) {
      return;
    }
    const note = lastNote(this.app);
    const path = note?.file?.path ?? null;
    const line = note instanceof MarkdownView && note.getMode() === "source" ? note.editor.getCursor().line + 1 : null;
    this.session.follow(path, line);
    this.facts?.show(path);
  }

  private leave(): void {
    const note = lastNote(this.app);
    if (note !== null) {
      this.app.workspace.setActiveLeaf(note.leaf, { focus: true });
    }
  }

  private act(step: Step): void {
    if (step === "show-hidden") {
      this.session?.showHidden();
    } else if (step === "retry" && answers(this.companion.connection.situation.value)) {
      this.session?.refresh();
    } else {
      void this.companion.act(step);
    }
  }

  private show(): void {
    const { session, parts } = this;
    if (session === null || parts === null) {
      return;
    }
    const state = session.state.value;
    const { connection, settings, passages, tray } = this.companion;
    const name = state.path === null ? "Related notes" : nameOf(state.path);
    const title = state.about === "" || state.about === name ? name : `${name} › ${state.about}`;
    if (parts.title.getText() !== title) {
      parts.title.setText(title);
    }
    parts.pin.setAttr("aria-pressed", String(state.pinned));
    parts.linked.setAttr("aria-pressed", String(settings.hideLinked));
    parts.whole.toggle(state.about === "selection");
    parts.muted.toggle(state.path !== null && mutesOf(this.app).of(state.path).length > 0);
    const here = connection.situation.value;
    const away = !answers(here) && here.kind !== "looking";
    const told = away ? tell(here) : state.situation === null ? null : tell(state.situation);
    parts.box.show(told);
    const look = (row: Row, why: string) => ({ signals: false, gone: passages.fileOf(row) === null, collected: tray.has(row.key), headings: () => passages.headings(row), why });
    parts.list.show(
      sections(state).map(({ title: heading, rows: given }) => ({ title: heading, rows: given.map((row) => shownOf(row, look(row, [row.why, row.linked].filter((text) => text !== "").join(" · ")))) })),
      away,
    );
    const line = [state.announce === told?.title ? "" : state.announce, state.hidden > 0 ? `${String(state.hidden)} hidden` : "", state.note].filter((text) => text !== "").join(". ");
    if (parts.live.getText() !== line) {
      parts.live.setText(line);
    }
  }
}

function sections(state: RelatedState): readonly { readonly title: string; readonly rows: readonly RelatedRow[] }[] {
  return [
    { title: "By meaning and words", rows: state.meaning },
    { title: "Same names", rows: state.entities.map((row) => ({ ...row, key: `names\n${row.key}` })) },
    { title: "Linked", rows: state.links.map(linkRow) },
  ];
}

function rows(state: RelatedState): readonly Row[] {
  return sections(state).flatMap((section) => section.rows);
}

/** A linked note as a row: its first line, and nothing of its text. */
function linkRow({ path, title, why }: LinkRow): RelatedRow {
  const none = { heading: [], excerpt: [], tags: [], via: [], fact: null, badge: { label: "", detail: "" }, modified: "", tier: 1, score: 0 };
  return { ...none, key: `link\n${path}`, path, title, start: 1, end: 1, lines: "", why, linked: "" };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/, "");
}
