/** The lines of a passage that a hit is about: where to look first in it, and the beginning of its excerpt. Pure. */

import { wordsOf } from "./anchor";
import type { Mark } from "./excerpt";
import { plain } from "./excerpt";

export interface Span {
  readonly start: number;
  readonly end: number;
}

const LEAD = 60;
const KEPT = 30;

/** The paragraph in lines `at` of a note that has most of the marked words, or of the excerpt's where nothing is marked. */
export function focusOf(lines: readonly string[], at: Span, excerpt: readonly Mark[]): Span {
  const marked = excerpt.flatMap((mark) => (mark.marked ? [mark.text] : [])).join(" ");
  const wanted = new Set(wordsOf(marked === "" ? plain(excerpt) : marked));
  const score = (number: number) => new Set(wordsOf(lines[number - 1] ?? "").filter((word) => wanted.has(word))).size;
  let best = at.start;
  for (let number = at.start; number <= at.end; number += 1) {
    best = score(number) > score(best) ? number : best;
  }
  if (score(best) === 0) {
    return at;
  }
  const blank = (number: number) => (lines[number - 1] ?? "").trim() === "";
  let start = best;
  let end = best;
  while (start > at.start && !blank(start - 1)) {
    start -= 1;
  }
  while (end < at.end && !blank(end + 1)) {
    end += 1;
  }
  return { start: marked === "" ? start : best, end };
}

/** The excerpt from shortly before its first mark, so that a row of a few lines shows it. */
export function fromFirstMark(excerpt: readonly Mark[]): readonly Mark[] {
  const [first, ...rest] = excerpt;
  if (first === undefined || first.marked || rest.length === 0 || first.text.length <= LEAD) {
    return excerpt;
  }
  const tail = first.text.slice(-KEPT);
  const space = tail.search(/\s/);
  return [{ text: `… ${tail.slice(space < 0 ? 0 : space + 1)}`, marked: false }, ...rest];
}
