import { expect, it } from "vitest";
import type { Row } from "../../src/core/rows";
import { rowsOf } from "../../src/core/rows";
import { PassageList, shownOf } from "../../src/views/list";
import { answer, hit } from "../support/daemon";

const LOOK = { signals: true, gone: false, collected: false };

function listOf(rows: readonly Row[]): PassageList {
  const list = new PassageList(createDiv(), "list", "Passages");
  list.show([{ title: "", rows: rows.map((row) => shownOf(row, LOOK)) }]);
  return list;
}

const rows = rowsOf(answer([hit("a.md"), hit("b.md"), hit("c.md", { excerpt: "<img src=x onerror=1>", matches: [[0, 4]] })]).results);

it("the first row is selected, keys stop at both ends, and one row can be reached by Tab", () => {
  Element.prototype.scrollIntoView = () => undefined;
  const list = listOf(rows);
  expect(list.selected).toBe(rows[0]?.key);
  expect([list.move(-1), list.move(1), list.move(Infinity), list.move(1)]).toEqual([false, true, true, false]);
  expect(list.selected).toBe(rows[2]?.key);
  expect(list.element.querySelectorAll('[tabindex="0"]').length).toBe(1);
  expect(list.element.querySelector('[aria-selected="true"]')?.id).toBe(list.active);
});

it("a passage keeps its element and its selection when others come before it", () => {
  const list = listOf(rows.slice(0, 2));
  list.select(rows[1]?.key ?? null, false);
  const element = list.rowOf(rows[1]?.key ?? "");
  list.show([{ title: "Names", rows: [rows[2], rows[1]].flatMap((row) => (row === undefined ? [] : [shownOf(row, LOOK)])) }]);
  expect(list.rowOf(rows[1]?.key ?? "")).toBe(element);
  expect(list.selected).toBe(rows[1]?.key);
  expect([...list.element.children].map((child) => child.className.split(" ")[0])).toEqual(["hv-section", "hv-row", "hv-row"]);
});

it("an excerpt is text, whatever is in it", () => {
  const list = listOf(rows);
  expect(list.element.querySelector("img")).toBeNull();
  expect(list.element.querySelector("mark")?.textContent).toBe("<img");
});

it("a passage whose note is gone says so", () => {
  const list = new PassageList(createDiv(), "list", "Passages");
  list.show([{ title: "", rows: rows.map((row) => shownOf(row, { ...LOOK, gone: true })) }]);
  expect(list.element.querySelector(".is-gone")?.textContent).toContain("Not in this vault any more");
});

it("a row shows what a person reads, with the terms marked, and a screen reader hears the same", () => {
  const [row] = rowsOf([hit("Log.md", { title: "Log", excerpt: "# Log **The [[Boat|eastern boat]]** is - [x] mended", matches: [[19, 26]] })]);
  const list = listOf(row === undefined ? [] : [row]);
  const text = list.element.querySelector(".hv-row-text");
  expect(text?.textContent).toBe("The eastern boat is ☑ mended");
  expect(text?.querySelector("mark")?.textContent).toBe("eastern");
  expect(list.element.querySelector(".hv-row")?.getAttribute("aria-label")).toContain("The eastern boat is ☑ mended");
});

it("rows that look as before are not made again, and nothing of the page changes", () => {
  const list = listOf(rows);
  const again = rows.map((row) => shownOf(row, { ...LOOK }));
  expect(rows.map((row, index) => shownOf(row, LOOK) === again[index])).toEqual([true, true, true]);
  const watcher = new MutationObserver(() => undefined);
  watcher.observe(list.element, { childList: true, subtree: true, characterData: true });
  list.show([{ title: "", rows: again }]);
  expect(watcher.takeRecords()).toEqual([]);
  expect(rows.map((row) => shownOf(row, { ...LOOK, collected: true }).collected)).toEqual([true, true, true]);
});
