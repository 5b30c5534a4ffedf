import { expect, test } from "vitest";
import type { Mark } from "../../src/core/excerpt";
import { readable } from "../../src/core/readable";

/** `«…»` is marked. */
function marks(text: string): Mark[] {
  const parts = text.split(/(«[^»]*»)/).filter((part) => part !== "");
  return parts.map((part) => (part.startsWith("«") ? { text: part.slice(1, -1), marked: true } : { text: part, marked: false }));
}

function read(text: string, said: readonly string[] = [], headings: readonly string[] = []): string {
  return readable(marks(text), said, () => headings).map(({ text: part, marked }) => (marked ? `«${part}»` : part)).join("");
}

test.each([
  ["a **«bold» word**, an *«italic»* one, __both__ and _this_", "a «bold» word, an «italic» one, both and this"],
  ["***«all»*** ~~gone~~ ==lit==", "«all» gone lit"],
  ["The [[«Plan»]] of [[People/Ove|«Ove»]], ![[map.png]]", "The «Plan» of «Ove», map.png"],
  ["see [the «docs»](https://a.example/x_(y) \"t\") or <https://b.example>", "see the «docs» or https://b.example"],
  ["**[[«Ove»]] keeps [the books](b.md)**", "«Ove» keeps the books"],
  ["- [ ] buy «nets» - [x] mend boats", "☐ buy «nets» ☑ mend boats"],
  ["## Day 2 «Wind» ## Day 3 Rain", "Day 2 «Wind» · Day 3 Rain"],
  ["> [!note]- Storm at «night» ^k3f9", "Storm at «night»"],
  ["The boiler #house [created:: 2026-01-12] [place:: cellar] ^boil", "The boiler #house place:: cellar"],
  ["run `a_b_c *x*` and ```sh ls *.md ```", "run a_b_c *x* and ls *.md"],
  ["text[^1] with<br>a \\*star\\*", "text with a *star*"],
  ["| a | b | | --- | :-: | | 1 | «2» |", "a | b | 1 | «2» |"],
  ["**use `x_y` <b>now</b>**", "use x_y now"],
  ["«half»** of a pair **cut", "«half» of a pair cut"],
])("%s is read as %s", (raw, text) => {
  expect(read(raw)).toBe(text);
});

test.each(["2 * 3 * 4 = 24", "snake_case_name", "a == b == c", "2**10", "C# and #tag", "a > b - c", "f(x) [1] {y}", "List<String>", "🚂 «𠮷» поезд"])("%s stays as it is", (text) => {
  expect(read(text)).toBe(text);
});

test("a mark is never hidden: what it stands in is shown as it was written", () => {
  expect(read("[docs](https://«harbour».example) and [[«Harbour»/Log|the log]]")).toBe("[docs](https://«harbour».example) and [[«Harbour»/Log|the log]]");
});

test("headings that the row says already are left out at the beginning, unless they are marked or all that there is", () => {
  expect(read("# Plan ## Storage The «readings»", ["Plan", "Storage"])).toBe("The «readings»");
  expect(read("# «Plan» The heron", ["Plan"])).toBe("«Plan» The heron");
  expect(read("# Plan", ["Plan"])).toBe("Plan");
});

test("a heading inside the line ends in a colon where the note's headings tell its end", () => {
  const headings = ["Day", "Day 2", "Why now?", "Plan"];
  expect(read("quiet ## Day 2 «Wind» ### Why now? Rain ## Day", ["Plan"], headings)).toBe("quiet · Day 2: «Wind» · Why now? Rain · Day");
  expect(read("# Plan ## «Day» 2 Wind # Unknown x", ["Plan"], headings)).toBe("«Day» 2: Wind · Unknown x");
});
