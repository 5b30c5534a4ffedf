/** A list of passages: rows that stay where they are, one of them selected, all of it by keyboard. Must not know what opening one means. */

import { setTooltip } from "obsidian";
import type { Mark } from "../core/excerpt";
import { plain } from "../core/excerpt";
import { fromFirstMark } from "../core/focus";
import { readable } from "../core/readable";
import type { Row } from "../core/rows";
import { headingLabel } from "../core/rows";

/** What a row shows. `key` names the passage, and `stamp` all that is visible of it: the same stamp is never drawn again. */
export interface Shown {
  readonly key: string;
  readonly title: string;
  readonly lines: string;
  readonly where: string;
  readonly badge: string;
  readonly about: string;
  readonly parts: readonly Mark[];
  readonly tags: readonly string[];
  readonly why: string;
  readonly gone: boolean;
  readonly collected: boolean;
}

export interface Section {
  readonly title: string;
  readonly rows: readonly Shown[];
}

interface Drawn {
  readonly element: HTMLElement;
  readonly row: Shown;
  readonly stamp: string;
}

/** What a row looks like besides its passage. */
export interface Look {
  readonly signals: boolean;
  readonly gone: boolean;
  readonly collected: boolean;
  readonly why?: string;
  /** The headings of its note. */
  readonly headings?: () => readonly string[];
}

const before = new WeakMap<Row, { readonly look: Look; readonly shown: Shown }>();

/** The same object for the same passage with the same look: a list of a thousand is shown anew with every news of the daemon. */
export function shownOf(row: Row, look: Look): Shown {
  const known = before.get(row);
  if (known !== undefined && sameLook(known.look, look)) {
    return known.shown;
  }
  const shown = madeOf(row, look);
  before.set(row, { look, shown });
  return shown;
}

function sameLook(one: Look, other: Look): boolean {
  return one.signals === other.signals && one.gone === other.gone && one.collected === other.collected && one.why === other.why;
}

function madeOf(row: Row, look: Look): Shown {
  const folder = row.path.slice(0, Math.max(0, row.path.lastIndexOf("/")));
  return {
    key: row.key,
    title: row.title,
    lines: row.lines,
    where: [folder, headingLabel(row)].filter((text) => text !== "").join(" › "),
    badge: look.signals ? row.badge.label : "",
    about: row.badge.detail,
    parts: fromFirstMark(readable(row.excerpt, [row.title, ...row.heading], look.headings)),
    tags: row.tags,
    why: look.gone ? "Not in this vault any more" : (look.why ?? ""),
    gone: look.gone,
    collected: look.collected,
  };
}

export class PassageList {
  readonly element: HTMLElement;
  private readonly drawn = new Map<string, Drawn>();
  private order: string[] = [];
  private chosen: string | null = null;

  constructor(
    parent: HTMLElement,
    private readonly id: string,
    label: string,
  ) {
    this.element = parent.createDiv({ cls: "hv-list", attr: { role: "listbox", id, "aria-label": label } });
  }

  /** Shows these rows. Elements of passages that are still there are kept, the scroll position as well. */
  show(sections: readonly Section[], old = false): void {
    this.element.toggleClass("is-old", old);
    const rows = sections.flatMap((section) => section.rows);
    const here = new Set(rows.map((row) => row.key));
    for (const [key, { element }] of [...this.drawn]) {
      if (!here.has(key)) {
        element.remove();
        this.drawn.delete(key);
      }
    }
    this.element.querySelectorAll(".hv-section").forEach((heading) => heading.remove());
    let before: Element | null = null;
    for (const section of sections.filter((given) => given.rows.length > 0)) {
      if (section.title !== "") {
        const heading = createDiv({ cls: "hv-section", text: section.title, attr: { role: "presentation" } });
        before = this.place(heading, before);
      }
      for (const row of section.rows) {
        before = this.place(this.draw(row), before);
      }
    }
    this.order = rows.map((row) => row.key);
    this.select(this.chosen !== null && here.has(this.chosen) ? this.chosen : (this.order[0] ?? null), false);
  }

  get selected(): string | null {
    return this.chosen;
  }

  get size(): number {
    return this.order.length;
  }

  /** The id of the selected row's element, for `aria-activedescendant`. */
  get active(): string {
    const index = this.chosen === null ? -1 : this.order.indexOf(this.chosen);
    return index < 0 ? "" : (this.drawn.get(this.order[index] ?? "")?.element.id ?? "");
  }

  keyOf(target: EventTarget | null): string | null {
    const row = target !== null && "closest" in target ? (target as HTMLElement).closest<HTMLElement>(".hv-row") : null;
    return row?.dataset["key"] ?? null;
  }

  rowOf(key: string): HTMLElement | null {
    return this.drawn.get(key)?.element ?? null;
  }

  /** Moves the selection by rows; `Infinity` is the last row. Whether there was a row to go to. */
  move(by: number): boolean {
    const from = this.chosen === null ? -1 : this.order.indexOf(this.chosen);
    const to = Math.max(0, Math.min(this.order.length - 1, from + by));
    const key = this.order[to];
    if (key === undefined || to === from) {
      return false;
    }
    this.select(key, true);
    return true;
  }

  select(key: string | null, scroll: boolean): void {
    if (this.chosen !== null) {
      this.mark(this.chosen, false);
    }
    this.chosen = key;
    if (key === null) {
      return;
    }
    this.mark(key, true);
    const element = this.rowOf(key);
    if (scroll && element !== null) {
      element.scrollIntoView({ block: "nearest" });
      if (this.element.contains(this.element.doc.activeElement)) {
        element.focus({ preventScroll: true });
      }
    }
  }

  private mark(key: string, on: boolean): void {
    const row = this.rowOf(key);
    row?.toggleClass("is-selected", on);
    row?.setAttr("aria-selected", String(on));
    row?.setAttr("tabindex", on ? "0" : "-1");
  }

  private place(element: Element, before: Element | null): Element {
    const wanted = before === null ? this.element.firstElementChild : before.nextElementSibling;
    if (wanted !== element) {
      this.element.insertBefore(element, wanted);
    }
    return element;
  }

  private draw(row: Shown): HTMLElement {
    const known = this.drawn.get(row.key);
    if (known?.row === row) {
      return known.element;
    }
    const stamp = JSON.stringify(row);
    if (known?.stamp === stamp) {
      this.drawn.set(row.key, { ...known, row });
      return known.element;
    }
    const element = known?.element ?? createDiv({ cls: "hv-row", attr: { role: "option", draggable: "true", tabindex: "-1", "aria-selected": "false" } });
    element.id = known?.element.id ?? `${this.id}-${String(serial++)}`;
    element.dataset["key"] = row.key;
    this.drawn.set(row.key, { element, row, stamp });
    fill(element, row);
    return element;
  }
}

let serial = 0;

function fill(element: HTMLElement, row: Shown): void {
  element.empty();
  element.toggleClass("is-gone", row.gone);
  element.toggleClass("in-tray", row.collected);
  element.setAttr("aria-label", [row.title, row.where, row.lines, plain(row.parts), row.why].filter((text) => text !== "").join(", "));
  const head = element.createDiv({ cls: "hv-row-head" });
  head.createSpan({ cls: "hv-row-title", text: row.title, attr: { dir: "auto" } });
  if (row.badge !== "") {
    const badge = head.createSpan({ cls: "hv-row-badge", text: row.badge });
    if (row.about !== "") {
      setTooltip(badge, row.about);
    }
  }
  head.createSpan({ cls: "hv-row-lines", text: row.lines });
  if (row.where !== "") {
    element.createDiv({ cls: "hv-row-where", text: row.where });
  }
  const text = element.createDiv({ cls: "hv-row-text", attr: { dir: "auto" } });
  for (const part of row.parts) {
    if (part.marked) {
      text.createEl("mark", { text: part.text });
    } else {
      text.appendText(part.text);
    }
  }
  if (row.why !== "") {
    element.createDiv({ cls: "hv-row-why", text: row.why });
  }
  if (row.tags.length > 0) {
    const tags = element.createDiv({ cls: "hv-row-tags" });
    row.tags.forEach((tag) => tags.createSpan({ cls: "tag", text: `#${tag}`, attr: { dir: "auto" } }));
  }
}
