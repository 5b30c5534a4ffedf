import { describe, expect, it } from "vitest";
import { focusOf, fromFirstMark } from "../../src/core/focus";

const LINES = ["# Log", "", "Quiet day.", "", "Wind from the west.", "The lighthouse radioed.", "Boats tied up.", "", "Night."];
const mark = (text: string) => ({ text, marked: true });
const rest = (text: string) => ({ text, marked: false });

describe("where to look in a passage", () => {
  it("is the line with the marked words, to the end of its paragraph", () => {
    expect(focusOf(LINES, { start: 1, end: 9 }, [rest("Wind "), mark("lighthouse"), rest(" "), mark("radioed")])).toEqual({ start: 6, end: 7 });
  });
  it("is the paragraph with most of the excerpt where nothing is marked", () => {
    expect(focusOf(LINES, { start: 1, end: 9 }, [rest("Boats tied up near the lighthouse")])).toEqual({ start: 5, end: 7 });
  });
  it("is the whole passage where none of its words stands there", () => {
    expect(focusOf(LINES, { start: 3, end: 5 }, [mark("zebra")])).toEqual({ start: 3, end: 5 });
  });
});

describe("the beginning of an excerpt", () => {
  it("is cut between words shortly before the first mark", () => {
    const [first, second] = fromFirstMark([rest(`${"word ".repeat(30)}then `), mark("found"), rest(" it")]);
    expect(first?.text).toMatch(/^… word .*then $/);
    expect(first?.text.length).toBeLessThan(40);
    expect(second).toEqual(mark("found"));
  });
  it("stays where the mark is near, or where there is none", () => {
    const near = [rest("near "), mark("mark")];
    expect(fromFirstMark(near)).toBe(near);
    const none = [rest("x".repeat(300))];
    expect(fromFirstMark(none)).toBe(none);
  });
});
