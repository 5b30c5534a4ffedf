/** Search as a pane or in a window over the notes: the field, modes, states and the list. Must not know what holds it. */

import type { Component, HoverParent } from "obsidian";
import { SearchComponent } from "obsidian";
import type { Companion } from "../companion";
import { SearchSession } from "../core/search/session";
import type { SearchState } from "../core/search/session";
import type { Row } from "../core/rows";
import type { Mode } from "../core/settings";
import type { Step, Told } from "../core/situations";
import { answers, tell } from "../core/situations";
import { timers } from "../platform/ports";
import { attend } from "./hands";
import { PassageList, shownOf } from "./list";
import { StateBox } from "./statebox";
import { Suggestions } from "./suggestions";
import { TrayBar } from "./traybar";

export interface Holder {
  readonly owner: Component;
  readonly parent: HoverParent;
  /** Gives the focus back to where it was. */
  leave(): void;
  opened?(): void;
}

const MODES: readonly (readonly [Mode, string, string])[] = [
  ["hybrid", "Both", "By words and by meaning"],
  ["lexical", "Words", "By words only"],
  ["semantic", "Meaning", "By meaning only"],
];
const REMEMBER_MS = 1_500;

let panes = 0;

export class SearchPane {
  readonly session: SearchSession;
  private readonly field: SearchComponent;
  private readonly list: PassageList;
  private readonly box: StateBox;
  private readonly live: HTMLElement;
  private readonly more: HTMLButtonElement;
  private readonly modes: readonly (readonly [Mode, HTMLElement])[];
  private readonly suggestions: Suggestions;
  private remembering = 0;
  /** The row that keys went to; the pointer may be elsewhere. */
  private held: string | null = null;

  constructor(
    parent: HTMLElement,
    private readonly companion: Companion,
    private readonly holder: Holder,
  ) {
    const { mode, limit } = companion.settings;
    const { owner } = holder;
    const id = `hv-list-${String(panes++)}`;
    this.session = new SearchSession(companion.connection, timers, { mode, limit });
    parent.addClass("hv-pane");
    const head = parent.createDiv({ cls: "hv-head", attr: { role: "search" } });
    const ask = head.createDiv({ cls: "hv-ask" });
    this.field = new SearchComponent(ask).setPlaceholder("Search your notes");
    this.suggestions = new Suggestions(ask, this.input, companion, `${id}-tips`, (text) => this.ask(text));
    this.modes = this.drawModes(head);
    this.box = new StateBox(head, (step) => this.act(step));
    this.live = head.createDiv({ cls: "hv-live", attr: { "aria-live": "polite", role: "status", dir: "auto" } });
    this.list = new PassageList(parent, id, "Passages found");
    this.more = parent.createEl("button", { cls: "hv-button hv-more", text: "Show more", attr: { type: "button" } });
    const tray = new TrayBar(parent, companion, () => this.query);
    for (const [name, value] of Object.entries({ role: "combobox", "aria-label": "Search notes", "aria-controls": id, "aria-expanded": "true", "aria-autocomplete": "list" })) {
      this.input.setAttr(name, value);
    }
    this.listen(owner, parent);
    owner.register(() => this.close());
    owner.register(companion.connection.situation.subscribe(() => this.show()));
    owner.register(companion.settled.subscribe(() => this.show()));
    owner.register(companion.tray.rows.subscribe(() => this.show()));
    owner.register(() => tray.close());
    this.session.state.subscribe(() => this.show());
    this.show();
  }

  get input(): HTMLInputElement {
    return this.field.inputEl;
  }

  get query(): string {
    return this.session.state.value.query;
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  /** Asks for `text`, as if it had been typed. */
  ask(text: string): void {
    this.field.setValue(text);
    this.session.type(text);
  }

  setMode(mode: Mode): void {
    this.session.setMode(mode);
  }

  private close(): void {
    window.clearTimeout(this.remembering);
    this.session.close();
  }

  private listen(owner: Component, root: HTMLElement): void {
    // Also called by the field's own button that empties it.
    this.field.onChange(() => {
      this.held = null;
      this.suggestions.typed();
      this.session.type(this.input.value);
    });
    owner.registerDomEvent(this.input, "keydown", (event) => {
      if (this.suggestions.key(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
    owner.registerDomEvent(this.more, "click", () => this.session.more());
    attend(owner, root, this.holder.parent, {
      list: this.list,
      passages: this.companion.passages,
      rows: () => this.session.state.value.rows,
      collect: (row) => this.companion.tray.toggle(row),
      collected: (row) => this.companion.tray.has(row.key),
      leave: () => this.leave(),
      opened: () => this.opened(),
      moved: () => this.moved(),
    });
    // What the pointer is over does not move away when meaning joins.
    owner.registerDomEvent(this.list.element, "pointermove", (event) => {
      this.session.hold(this.list.keyOf(event.target));
    });
    owner.registerDomEvent(this.list.element, "pointerleave", () => this.session.hold(this.held));
  }

  private leave(): void {
    if (this.suggestions.shown) {
      this.suggestions.hide();
    } else {
      this.holder.leave();
    }
  }

  private opened(): void {
    this.companion.recents.remember(this.query);
    this.holder.opened?.();
  }

  private moved(): void {
    this.held = this.list.selected;
    this.session.hold(this.held);
    this.input.setAttr("aria-activedescendant", this.list.active);
  }

  private act(step: Step): void {
    const { suggestion, situation, phase } = this.session.state.value;
    if (step === "retry" && phase === "failed" && answers(this.companion.connection.situation.value)) {
      this.session.submit();
    } else if (situation?.kind === "no-results" && suggestion !== null) {
      this.ask(suggestion);
    } else {
      void this.companion.act(step);
    }
  }

  private drawModes(head: HTMLElement): readonly (readonly [Mode, HTMLElement])[] {
    const bar = head.createDiv({ cls: "hv-modes", attr: { role: "group", "aria-label": "Search by" } });
    return MODES.map(([mode, text, about]) => {
      const button = bar.createEl("button", { text, attr: { type: "button", "aria-label": about, "aria-pressed": "false" } });
      button.addEventListener("click", () => this.setMode(mode));
      return [mode, button] as const;
    });
  }

  private show(): void {
    const state = this.session.state.value;
    const { settings, passages, tray } = this.companion;
    this.modes.forEach(([mode, button]) => button.setAttr("aria-pressed", String(mode === state.mode)));
    const told = this.told(state);
    this.box.show(told);
    const look = (row: Row) => ({ signals: settings.showSignals, gone: passages.fileOf(row) === null, collected: tray.has(row.key), headings: () => passages.headings(row) });
    this.list.show([{ title: "", rows: state.rows.map((row) => shownOf(row, look(row))) }], state.phase === "failed");
    this.input.setAttr("aria-activedescendant", this.list.active);
    this.more.toggle(state.more && state.phase === "complete");
    // The box is announced as well: nothing is said twice.
    const line = [state.announce === told?.title ? "" : state.announce, state.note].filter((text) => text !== "").join(". ");
    if (this.live.getText() !== line) {
      this.live.setText(line);
    }
    if (state.phase === "complete" && state.rows.length > 0) {
      window.clearTimeout(this.remembering);
      this.remembering = window.setTimeout(() => this.companion.recents.remember(this.query), REMEMBER_MS);
    }
  }

  /** The session's own state where it has one, else how the connection is where that is worth a word. */
  private told(state: SearchState): Told | null {
    const connection = this.companion.connection.situation.value;
    const unsaid = connection.kind === "ready" || connection.kind === "looking";
    if (!answers(connection) && connection.kind !== "looking") {
      return tell(connection);
    }
    if (state.situation?.kind === "no-results" && state.suggestion !== null) {
      return { ...tell(state.situation), step: "retry", label: `Search for “${state.suggestion}”` } as const;
    }
    if (state.situation !== null && (state.situation.kind !== "no-query" || unsaid)) {
      return tell(state.situation);
    }
    return unsaid ? null : tell(connection);
  }
}
