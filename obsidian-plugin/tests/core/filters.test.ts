import { expect, test } from "vitest";
import { addRecent, matchingRecents, readRecents } from "../../src/core/search/recents";
import type { Known } from "../../src/core/search/suggest";
import { suggest } from "../../src/core/search/suggest";
import { asWords, filterText, tokenize, withToken, withoutToken } from "../../src/core/search/tokens";

const KNOWN: Known = { folders: ["Meeting notes", "Projects", "Projects/Atlas"], tags: ["recipe", "recipe/soup", "draft"], properties: ["status", "author"], projects: ["Atlas"] };

test.each([
  ["night train", [["word", "", "night"], ["word", "", "train"]]],
  ['"night train" -draft', [["phrase", "", "night train"], ["word", "", "draft"]]],
  ['-folder:"Meeting notes" tag:recipe', [["filter", "folder", "Meeting notes"], ["filter", "tag", "recipe"]]],
  ["#recipe/soup [status:done] -[author]", [["tag", "#", "recipe/soup"], ["property", "status", "done"], ["property", "author", ""]]],
  ["https://example.org C++ 10:30 note:x", [["word", "", "https://example.org"], ["word", "", "C++"], ["word", "", "10:30"], ["word", "", "note:x"]]],
  ["after:2026-01-01 trust:>0.6", [["filter", "after", "2026-01-01"], ["filter", "trust", ">0.6"]]],
  ['"open [status', [["word", "", '"open'], ["word", "", "[status"]]],
])("%s is read as the daemon reads it", (query, expected) => {
  expect(tokenize(query).map(({ kind, key, value }) => [kind, key, value])).toEqual(expected);
});

test("every token knows its place, and a minus is a sign only in front of something", () => {
  const query = 'x -tag:a - -"b c"';
  const tokens = tokenize(query);
  expect(tokens.map(({ negative }) => negative)).toEqual([false, true, false, true]);
  expect(tokens.map(({ from, to }) => query.slice(from, to))).toEqual(["x", "-tag:a", "-", '-"b c"']);
});

test("a filter is added once and taken away whole", () => {
  expect(withToken("night", 'folder:"a b"')).toBe('night folder:"a b"');
  expect(withToken('night folder:"a b"', 'FOLDER:"a b"')).toBe('night folder:"a b"');
  const query = 'night folder:"a b" train';
  const [, filter] = tokenize(query);
  expect(filter && withoutToken(query, filter)).toBe("night train");
  expect(filterText("folder", 'a "b"')).toBe('folder:"a b"');
});

test("a note's text as a query has no operator left", () => {
  const words = asWords('# Plan\n- [x] -draft tag:db "quoted" [status:done] C\'est pve-01', 100);
  expect(words).toBe("Plan x draft tag db quoted status done C'est pve-01");
  expect(tokenize(words).every(({ kind, negative }) => kind === "word" && !negative)).toBe(true);
  expect(asWords("one two three", 9)).toBe("one two");
  expect(asWords("ночной поезд", 9)).toBe("ночной");
});

test.each([
  ["fol", ["folder:"]],
  ["folder:", ["Meeting notes", "Projects", "Projects/Atlas"].map((name) => filterText("folder", name))],
  ["night folder:atl", ["folder:Projects/Atlas"]],
  ['-folder:"meeting n', ['-folder:"Meeting notes"']],
  ["#soup", ["#recipe/soup"]],
  ["[sta", ["[status]"]],
  ["within:1", ["within:14d", "within:1y"]],
  ["night", []],
  ["", []],
  ["tag:draft", []],
  ["harbour f", []],
])("%s suggests %j", (query, texts) => {
  expect(suggest(query, query.length, KNOWN).map(({ text }) => text)).toEqual(texts);
});

test("a suggestion replaces what is typed and leaves the rest, with the cursor where typing goes on", () => {
  const [first] = suggest("night tag:rec train", 13, KNOWN);
  expect(first).toMatchObject({ query: "night tag:recipe train", cursor: 17 });
  const [name] = suggest("fol", 3, KNOWN);
  expect(name).toMatchObject({ query: "folder:", cursor: 7 });
});

test("recent searches are few, new ones first, and none is the beginning of the next", () => {
  expect(addRecent(["night", "old"], " night  train ")).toEqual(["night train", "old"]);
  expect(addRecent(["a", "B", "c"], "b")).toEqual(["b", "a", "c"]);
  expect(addRecent(["a"], "  ")).toEqual(["a"]);
  const many = Array.from({ length: 30 }, (_, index) => `query ${index} x`).reduce<readonly string[]>(addRecent, []);
  expect(many).toHaveLength(20);
  expect(matchingRecents(["Night train", "bread"], "TRAIN")).toEqual(["Night train"]);
  expect(readRecents({ not: "a list" })).toEqual([]);
  expect(readRecents(["a", 1, null])).toEqual(["a"]);
});
