import { expect, test } from "vitest";
import { asBundle, asPathLines, asWikilink, subpathOf } from "../../src/core/copy";
import { markExcerpt, plain } from "../../src/core/excerpt";
import { badgeOf, headingLabel, rowsOf } from "../../src/core/rows";
import type { Row } from "../../src/core/rows";
import { Tray } from "../../src/core/tray";
import { hit } from "../support/daemon";

function row(path: string, more: Parameters<typeof hit>[1] = {}): Row {
  const [only] = rowsOf([hit(path, more)]);
  if (only === undefined) {
    throw new Error("a hit is a row");
  }
  return only;
}

test("matches count code points: an emoji or a rare character in front moves no mark", () => {
  expect(markExcerpt("🚂 𠮷 night train", [[4, 9]])).toEqual([
    { text: "🚂 𠮷 ", marked: false },
    { text: "night", marked: true },
    { text: " train", marked: false },
  ]);
});

test.each([
  [[[2, 4], [0, 3]], "[abc][d]ef"],
  [[[4, 99]], "abcd[ef]"],
  [[[3, 3], [9, 12]], "abcdef"],
  [[], "abcdef"],
] as const)("marks %j keep every character once", (matches, expected) => {
  const marks = markExcerpt("abcdef", matches);
  expect(plain(marks)).toBe("abcdef");
  expect(marks.map(({ text, marked }) => (marked ? `[${text}]` : text)).join("")).toBe(expected);
});

test("a row has a label for its lines and a key that survives a shift of lines, even for a text that stands twice", () => {
  expect(row("a.md").lines).toBe("L42–77");
  expect(row("a.md", { start_line: 5, end_line: 5 }).lines).toBe("L5");
  expect(row("a.md", { start_line: 50, end_line: 85 }).key).toBe(row("a.md").key);
  expect(new Set(rowsOf([hit("a.md"), hit("a.md"), hit("b.md")]).map(({ key }) => key)).size).toBe(3);
});

test("headings are one line and do not say the title again", () => {
  expect(headingLabel({ title: "Plan", heading: ["Plan", "Storage", "Why"] })).toBe("Storage › Why");
  expect(headingLabel({ title: "Plan", heading: ["Storage"] })).toBe("Storage");
});

test("the badge names the lanes that spoke and, behind it, their figures", () => {
  expect(badgeOf({ lexical: 0.5, semantic: 0.31, hrr: 0, coverage: 0.8, tier: 1.2 })).toEqual({
    label: "words + meaning",
    detail: "Words 0.50 · Meaning 0.31 · 80 % of the query's words · Tier ×1.20",
  });
  expect(badgeOf({})).toEqual({ label: "", detail: "" });
});

test("an address is a path with lines", () => {
  expect(asPathLines(row("Projects/plan.md"))).toBe("Projects/plan.md:42-77");
  expect(asPathLines({ path: "a.md", start: 3, end: 3 })).toBe("a.md:3");
});

test.each([
  [["Plan", "Storage: why? [[PostgreSQL]] #db | 50 %%"], null, "#Storage why? PostgreSQL db 50"],
  [[], null, ""],
  [["People"], { id: "k3f9", trust: 0.5, category: "People" }, "#^k3f9"],
  [["People"], { id: "_9ab0", trust: 0.5, category: "People" }, "#People"],
] as const)("a link to %j with %j ends in %s", (heading, fact, subpath) => {
  expect(subpathOf({ path: "a.md", heading, fact })).toBe(subpath);
});

test("a link names the headings that lead to what was found, each without what would end the link", () => {
  expect(subpathOf({ path: "a.md", heading: ["Plan"], fact: null }, ["Log", "Day #1"])).toBe("#Log#Day 1");
  expect(subpathOf({ path: "a.md", heading: ["Plan"], fact: null }, [])).toBe("");
});

test("a link for elsewhere is by path, without the extension", () => {
  expect(asWikilink(row("Projects/a b.md"))).toBe("[[Projects/a b#Plan]]");
  expect(asWikilink(row("b.md", { heading: [] }))).toBe("[[b]]");
});

test("a bundle has every passage with its address inside a fence that its text cannot close", () => {
  const text = "code:\n````js\nx\n````\n";
  const bundle = asBundle([{ row: row("a.md", { tags: ["db"], heading: ["a", "Why"] }), text }, { row: row("b.md"), text: null }], "why?");
  expect(bundle).toBe(
    "Question: why?\n\n### 1. a\n\nSource: a.md:42-77\nHeading: Why\nTags: #db\n\n`````markdown\ncode:\n````js\nx\n````\n`````\n" +
      "\n### 2. b\n\nSource: b.md:42-77\nHeading: Plan\n\n(This passage could not be read.)\n",
  );
});

test("the tray keeps each passage once, in the order of collecting, and names one that is gone", async () => {
  const tray = new Tray();
  const heard: number[] = [];
  tray.rows.subscribe((rows) => heard.push(rows.length));
  tray.add(row("a.md"));
  tray.add(row("a.md"));
  tray.toggle(row("b.md"));
  tray.toggle(row("c.md"));
  tray.toggle(row("c.md"));
  expect(heard).toEqual([1, 2, 3, 2]);
  const bundle = await tray.bundle(({ path }) => (path === "a.md" ? Promise.resolve("text of a") : Promise.reject(new Error("gone"))));
  expect(bundle).toMatch(/text of a[\s\S]*b\.md:42-77[\s\S]*could not be read/);
  tray.clear();
  expect(tray.rows.value).toEqual([]);
});
