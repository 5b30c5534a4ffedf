import type { HoverParent } from "obsidian";
import { Component } from "obsidian";
import { beforeEach, expect, it, vi } from "vitest";
import type { Row } from "../../src/core/rows";
import { rowsOf } from "../../src/core/rows";
import type { Hands } from "../../src/views/hands";
import { attend } from "../../src/views/hands";
import { PassageList, shownOf } from "../../src/views/list";
import type { Passages } from "../../src/views/passages";
import { hit } from "../support/daemon";

const ROWS = rowsOf([hit("a.md"), hit("b.md")]);
const done: string[] = [];
let root: HTMLElement;
let field: HTMLInputElement;
let list: PassageList;

beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined;
  done.length = 0;
  root = createDiv();
  field = root.createEl("input");
  list = new PassageList(root, "list", "Passages");
  list.show([{ title: "", rows: ROWS.map((row) => shownOf(row, { signals: false, gone: false, collected: false })) }]);
  const passages: Pick<Passages, "open" | "insertLinks" | "copyAddress"> = {
    open: vi.fn((row: Row, where: string) => Promise.resolve(void done.push(`open ${row.path} ${where}`))),
    insertLinks: vi.fn((rows: readonly Row[]) => Promise.resolve(void done.push(`insert ${rows.map(({ path }) => path).join(" ")}`))),
    copyAddress: vi.fn((row: Row) => Promise.resolve(void done.push(`address ${row.path}`))),
  };
  const hands: Hands = {
    list,
    passages: passages as Passages,
    rows: () => ROWS,
    collect: (row) => void done.push(`collect ${row.path}`),
    collected: () => false,
    leave: () => void done.push("leave"),
  };
  const owner = new (class extends Component {})();
  owner.load();
  attend(owner, root, { hoverPopover: null } satisfies HoverParent, hands);
});

function press(target: HTMLElement, key: string, more: KeyboardEventInit = {}): boolean {
  return !target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
}

it("Enter that ends what an input method composes opens nothing and stays the method's own", () => {
  expect(press(field, "Enter", { isComposing: true })).toBe(false);
  expect(press(field, "ArrowDown", { isComposing: true })).toBe(false);
  expect([done, list.selected]).toEqual([[], ROWS[0]?.key]);
});

it.each([
  ["Enter", {}, "open a.md usual"],
  ["Enter", { altKey: true }, "insert a.md"],
  ["Enter", { altKey: true, shiftKey: true }, "insert a.md b.md"],
  ["Enter", { shiftKey: true }, "collect a.md"],
  ["Escape", {}, "leave"],
] as const)("%s with %j in the field does: %s", (key, held, what) => {
  expect(press(field, key, held)).toBe(true);
  expect(done).toEqual([what]);
});

it("keys that write stay the field's, and on a row Space collects and Ctrl + C copies the address", () => {
  expect([press(field, " "), press(field, "c", { ctrlKey: true }), press(field, "Home")]).toEqual([false, false, false]);
  const row = list.rowOf(ROWS[0]?.key ?? "") ?? root;
  expect([press(row, " "), press(row, "c", { ctrlKey: true })]).toEqual([true, true]);
  expect(done).toEqual(["collect a.md", "address a.md"]);
});

it("arrows, Ctrl + J and Ctrl + K move from the field, without leaving it", () => {
  press(field, "ArrowDown");
  expect(list.selected).toBe(ROWS[1]?.key);
  press(field, "k", { ctrlKey: true });
  expect(list.selected).toBe(ROWS[0]?.key);
  press(field, "j", { ctrlKey: true });
  expect(list.selected).toBe(ROWS[1]?.key);
});
