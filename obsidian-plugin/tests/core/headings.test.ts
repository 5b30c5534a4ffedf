import { expect, test } from "vitest";
import { headingOf } from "../../src/core/headings";

const HEADINGS = [
  { text: "Log", level: 1, line: 3 },
  { text: "May", level: 2, line: 5 },
  { text: "Notes", level: 3, line: 7 },
  { text: "June", level: 2, line: 20 },
  { text: "Notes", level: 3, line: 22 },
  { text: "Open", level: 2, line: 30 },
];

test.each([
  [2, []],
  [3, ["Log"]],
  [6, ["May"]],
  [25, ["Log", "June", "Notes"]],
  [99, ["Open"]],
])("a link to line %i names %j", (line, heading) => {
  expect(headingOf(HEADINGS, line)).toEqual(heading);
});
