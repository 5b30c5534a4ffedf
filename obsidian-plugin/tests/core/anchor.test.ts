import { expect, test } from "vitest";
import { anchor } from "../../src/core/anchor";

const BEFORE = Array.from({ length: 30 }, (_, index) => `Line ${index + 1} talks about weather and bread.`);
const PASSAGE = ["## Storage", "", "We chose PostgreSQL because of its extensions.", "The migration took three weeks.", "Nobody missed the old one."];
const AFTER = ["## Costs", "", "Hosting is cheap."];
const WORDS = "chose PostgreSQL because of its extensions. The migration took three";
const AT = { start: 31, end: 35, words: WORDS, heading: ["Plan", "Storage"] };

function note(...parts: readonly (readonly string[])[]): string {
  return parts.flat().join("\n");
}

test("a passage of a note that did not change is where it was", () => {
  expect(anchor(note(BEFORE, PASSAGE, AFTER), AT)).toEqual({ start: 31, end: 35, how: "same" });
});

test("thirty lines above push a passage down, and it is found by its words", () => {
  expect(anchor(note(BEFORE, BEFORE, PASSAGE, AFTER), AT)).toEqual({ start: 63, end: 64, how: "moved" });
});

test("lines taken away above pull it up, past the note's new end", () => {
  expect(anchor(note(PASSAGE, AFTER), AT)).toEqual({ start: 3, end: 5, how: "moved" });
});

test("of two equal passages the nearer one is meant", () => {
  const twice = note(PASSAGE, BEFORE, BEFORE, PASSAGE, AFTER);
  expect(anchor(twice, { ...AT, start: 55, end: 59 }).start).toBe(68);
  expect(anchor(twice, { ...AT, start: 9, end: 13 }).start).toBe(3);
});

test("a few changed words do not matter", () => {
  const edited = PASSAGE.map((line) => line.replace("three weeks", "a month"));
  expect(anchor(note(BEFORE, BEFORE, edited, AFTER), AT)).toMatchObject({ start: 63, how: "moved" });
});

test("where the words are gone the heading is shown, and without it the old line inside the note", () => {
  const gone = note(["# Plan", "", "Nothing here.", "## Storage", "Rewritten from scratch"], AFTER);
  expect(anchor(gone, AT)).toEqual({ start: 4, end: 4, how: "near" });
  expect(anchor("One line only", AT)).toEqual({ start: 1, end: 1, how: "lost" });
});

test.each([
  ["Russian with ё and е", "Ночной поезд шёл на север", "Ночной поезд шел на север"],
  ["text without spaces", "全文検索は速い", "全文検索は速い"],
  ["accents typed in two ways", "café", "cafe\u0301"],
])("%s is found again", (_, words, line) => {
  const moved = note(BEFORE, [line]);
  expect(anchor(moved, { start: 2, end: 2, words, heading: [] })).toEqual({ start: 31, end: 31, how: "moved" });
});

test("line ends of every system count the same", () => {
  const text = note(BEFORE, BEFORE, PASSAGE).replace(/\n/g, "\r\n");
  expect(anchor(text, AT).start).toBe(63);
});
