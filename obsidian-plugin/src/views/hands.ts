/** Keys and the mouse on a list of passages: the same in every pane. Must not know where the rows come from. */

import type { Component, HoverParent, Menu } from "obsidian";
import { Keymap } from "obsidian";
import type { Row } from "../core/rows";
import type { PassageList } from "./list";
import type { Passages } from "./passages";
import { whereOf } from "./passages";

export interface Hands {
  readonly list: PassageList;
  readonly passages: Passages;
  readonly rows: () => readonly Row[];
  /** Puts a passage into the tray, or takes it out. */
  readonly collect: (row: Row) => void;
  readonly collected: (row: Row) => boolean;
  /** Gives the focus back to the note. */
  readonly leave: () => void;
  /** After the selection moved to another row. */
  readonly moved?: () => void;
  /** After a passage was opened. */
  readonly opened?: () => void;
  readonly more?: (menu: Menu, row: Row) => void;
}

/** Listens on `root`, which holds the list and perhaps a field to type in, until `owner` is unloaded. */
export function attend(owner: Component, root: HTMLElement, parent: HoverParent, hands: Hands): void {
  const { list } = hands;
  owner.registerDomEvent(root, "keydown", (event) => {
    if (key(event, hands)) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
  const at = (event: Event): Row | null => rowAt(hands, list.keyOf(event.target));
  const open = (event: MouseEvent) => {
    const row = at(event);
    if (row !== null && (event.button === 0 || event.button === 1)) {
      event.preventDefault();
      list.select(row.key, false);
      void hands.passages.open(row, whereOf(event)).then(hands.opened);
    }
  };
  owner.registerDomEvent(list.element, "click", open);
  owner.registerDomEvent(list.element, "auxclick", open);
  owner.registerDomEvent(list.element, "mousedown", (event) => {
    if (event.button === 1) {
      // Else the middle button scrolls.
      event.preventDefault();
    }
  });
  owner.registerDomEvent(list.element, "contextmenu", (event) => {
    const row = at(event);
    if (row !== null) {
      event.preventDefault();
      list.select(row.key, false);
      menuOf(row, hands).showAtMouseEvent(event);
    }
  });
  owner.registerDomEvent(list.element, "dragstart", (event) => {
    const row = at(event);
    if (row !== null && event.dataTransfer !== null) {
      hands.passages.drag(row, event.dataTransfer);
    }
  });
  owner.registerDomEvent(list.element, "mouseover", (event) => {
    const row = at(event);
    const element = row === null ? null : list.rowOf(row.key);
    if (row !== null && element !== null && !element.contains(event.relatedTarget as Node | null)) {
      void hands.passages.hover(event, row, parent, element);
    }
  });
}

const PAGE = 8;
const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE };

/** Whether the key was one of ours. */
function key(event: KeyboardEvent, hands: Hands): boolean {
  // Enter ends what an input method composes, and is no answer to the list.
  if (event.isComposing || event.defaultPrevented) {
    return false;
  }
  const { list } = hands;
  const inField = event.target !== null && "value" in event.target;
  const by = moveOf(event, inField);
  if (by !== null) {
    if (list.move(by)) {
      hands.moved?.();
    }
    return list.size > 0;
  }
  if (event.key === "Escape") {
    hands.leave();
    return true;
  }
  const row = rowAt(hands, list.selected);
  const onRow = !(event.target !== null && "closest" in event.target && (event.target as HTMLElement).closest("button") !== null);
  return row !== null && onRow && act(event, row, hands, inField);
}

function moveOf(event: KeyboardEvent, inField: boolean): number | null {
  if (event.altKey || event.shiftKey) {
    return null;
  }
  const mod = Keymap.isModifier(event, "Mod");
  if (mod) {
    return event.key === "Home" ? -Infinity : event.key === "End" ? Infinity : event.key === "j" ? 1 : event.key === "k" ? -1 : null;
  }
  if (!inField && (event.key === "Home" || event.key === "End")) {
    return event.key === "Home" ? -Infinity : Infinity;
  }
  return MOVES[event.key] ?? null;
}

function act(event: KeyboardEvent, row: Row, hands: Hands, inField: boolean): boolean {
  const mod = Keymap.isModifier(event, "Mod");
  if (event.key === "Enter") {
    if (event.altKey && !mod) {
      void hands.passages.insertLinks(event.shiftKey ? hands.rows() : [row]);
    } else if (event.shiftKey && !mod) {
      hands.collect(row);
    } else {
      void hands.passages.open(row, whereOf(event)).then(hands.opened);
    }
    return true;
  }
  if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
    const box = hands.list.rowOf(row.key)?.getBoundingClientRect();
    menuOf(row, hands).showAtPosition({ x: box?.left ?? 0, y: box?.bottom ?? 0 });
    return true;
  }
  if (mod && event.key === "c" && !inField) {
    void hands.passages.copyAddress(row);
    return true;
  }
  if (event.key === " " && !inField) {
    hands.collect(row);
    return true;
  }
  return false;
}

function menuOf(row: Row, hands: Hands): Menu {
  return hands.passages.menu(row, (menu) => {
    menu.addItem((item) => item.setTitle(hands.collected(row) ? "Take out of the tray" : "Collect for a chat").setIcon("inbox").onClick(() => hands.collect(row)));
    hands.more?.(menu, row);
  });
}

function rowAt(hands: Hands, key: string | null): Row | null {
  return key === null ? null : (hands.rows().find((row) => row.key === key) ?? null);
}
