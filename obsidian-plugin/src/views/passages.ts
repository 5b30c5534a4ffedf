/** What can be done with a passage: open it where it is now, link to it, copy its address, collect it. Must not know any list. */

import type { App, HoverParent, TFile } from "obsidian";
import { Keymap, Menu, Notice } from "obsidian";
import { anchor, linesOf } from "../core/anchor";
import { asPathLines, asWikilink, subpathOf } from "../core/copy";
import { plain } from "../core/excerpt";
import { focusOf } from "../core/focus";
import { headingOf } from "../core/headings";
import type { Row } from "../core/rows";
import { insert, lastEditor } from "../platform/editing";
import type { Lines, Where } from "../platform/opening";
import { fileAt, openAt } from "../platform/opening";
import { headingsOf } from "../platform/sources";

export const HOVER_SOURCE = "holovault";

/** Where an event asks a passage to open; "usual" where it does not say. */
export function whereOf(event: KeyboardEvent | MouseEvent): Where | "usual" {
  const mod = Keymap.isModifier(event, "Mod");
  if (mod && event.shiftKey && !event.altKey) {
    return "background";
  }
  const kind = Keymap.isModEvent(event);
  return kind === false ? "usual" : kind === true ? "tab" : kind;
}

/** Where the words of a passage stand now, and what leads there behind the note in a link. */
interface Place {
  readonly lines: Lines;
  readonly subpath: string;
}

export class Passages {
  /** The place of the row that the pointer is on: a drag has no time to look for it. */
  private near: { readonly key: string; readonly place: Place } | null = null;

  constructor(
    private readonly app: App,
    private readonly usual: () => Where,
  ) {}

  fileOf(row: Row): TFile | null {
    return fileAt(this.app, row.path);
  }

  /** The headings of its note, as far as Obsidian has read it. */
  headings(row: Row): readonly string[] {
    const file = this.fileOf(row);
    return file === null ? [] : (headingsOf(this.app, file) ?? []).map(({ text }) => text);
  }

  /** Opens the passage at its line as the note is now. Says so where the note is gone; never makes one. */
  async open(row: Row, where: Where | "usual"): Promise<void> {
    const file = this.fileOf(row);
    if (file === null) {
      new Notice(`${row.path} is not in this vault any more.`);
      return;
    }
    const text = await this.app.vault.cachedRead(file);
    await openAt(this.app, file, text, focus(text, row), where === "usual" ? this.usual() : where);
  }

  /** The passage's lines and text as the note is now; null where it is gone. */
  async read(row: Row): Promise<{ readonly lines: Lines; readonly text: string } | null> {
    const file = this.fileOf(row);
    if (file === null) {
      return null;
    }
    const text = await this.app.vault.cachedRead(file);
    const lines = now(text, row);
    return { lines, text: linesOf(text).slice(lines.start - 1, lines.end).join("\n") };
  }

  /** A link as this vault writes them, to the fact or to the heading nearest to what was found. */
  async link(row: Row, source: string): Promise<string> {
    return this.linkTo(row, (await this.place(row))?.subpath, source);
  }

  async insertLinks(rows: readonly Row[]): Promise<void> {
    const source = lastEditor(this.app)?.path ?? "";
    const links = await Promise.all(rows.map((row) => this.link(row, source)));
    if (!insert(this.app, links.join("\n"))) {
      new Notice("Open a note for editing first: links go into it.");
    }
  }

  drag(row: Row, data: DataTransfer): void {
    const subpath = this.near?.key === row.key ? this.near.place.subpath : undefined;
    data.setData("text/plain", this.linkTo(row, subpath, lastEditor(this.app)?.path ?? ""));
    data.effectAllowed = "copyLink";
  }

  /** Core's Page preview decides whether and how it shows; it scrolls to what was found. */
  async hover(event: MouseEvent, row: Row, parent: HoverParent, target: HTMLElement): Promise<void> {
    const place = await this.place(row);
    if (place === null) {
      return;
    }
    this.near = { key: row.key, place };
    const linktext = row.path.replace(/\.md$/, "") + place.subpath;
    const state = { scroll: place.lines.start - 1 };
    this.app.workspace.trigger("hover-link", { event, source: HOVER_SOURCE, hoverParent: parent, targetEl: target, linktext, sourcePath: "", state });
  }

  private linkTo(row: Row, subpath: string | undefined, source: string): string {
    const file = this.fileOf(row);
    return file === null ? asWikilink(row) : this.app.fileManager.generateMarkdownLink(file, source, subpath ?? subpathOf(row));
  }

  /** Null where the note is gone. */
  private async place(row: Row): Promise<Place | null> {
    const file = this.fileOf(row);
    if (file === null) {
      return null;
    }
    const lines = focus(await this.app.vault.cachedRead(file), row);
    const headings = row.excerpt.length === 0 ? null : headingsOf(this.app, file);
    return { lines, subpath: subpathOf(row, headings === null ? undefined : headingOf(headings, lines.start)) };
  }

  /** The passage's menu: ours first, then what Obsidian and other plugins add for the note. */
  menu(row: Row, more: (menu: Menu) => void): Menu {
    const menu = new Menu();
    const file = this.fileOf(row);
    const add = (title: string, icon: string, act: () => unknown) => menu.addItem((item) => item.setTitle(title).setIcon(icon).onClick(act));
    if (file !== null) {
      add("Open", "file-text", () => this.open(row, "here"));
      add("Open in new tab", "file-plus", () => this.open(row, "tab"));
      add("Open to the right", "separator-vertical", () => this.open(row, "split"));
      add("Open in background", "layers", () => this.open(row, "background"));
      menu.addSeparator();
      add("Insert link", "link", () => this.insertLinks([row]));
      add("Copy link", "copy", async () => copy(await this.link(row, ""), "Link copied."));
    }
    add("Copy path and lines", "map-pin", () => this.copyAddress(row));
    more(menu);
    if (file !== null) {
      menu.addSeparator();
      this.app.workspace.trigger("file-menu", menu, file, "holovault");
    }
    return menu;
  }

  async copyAddress(row: Row): Promise<void> {
    const now = await this.read(row);
    await copy(asPathLines({ ...row, ...now?.lines }), "Path and lines copied.");
  }
}

export async function copy(text: string, done: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  new Notice(done);
}

/** The lines of what was found, as the note is now. */
function focus(text: string, row: Row): Lines {
  return focusOf(linesOf(text), now(text, row), row.excerpt);
}

function now(text: string, row: Row): Lines {
  return anchor(text, { start: row.start, end: row.end, words: plain(row.excerpt), heading: row.heading });
}
