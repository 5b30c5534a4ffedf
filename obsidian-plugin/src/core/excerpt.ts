/** An excerpt cut into marked and unmarked parts, so that it is put on a page as text and never as HTML. */

export interface Mark {
  readonly text: string;
  readonly marked: boolean;
}

/** `matches` are [from, to) in code points, as the wire has them; what lies outside the text or overlaps is put right. */
export function markExcerpt(excerpt: string, matches: readonly (readonly [number, number])[]): readonly Mark[] {
  const points = Array.from(excerpt);
  const marks: Mark[] = [];
  const push = (from: number, to: number, marked: boolean) => {
    if (from < to) {
      marks.push({ text: points.slice(from, to).join(""), marked });
    }
  };
  let at = 0;
  for (const [from, to] of [...matches].sort(([one], [other]) => one - other)) {
    const start = Math.max(at, from);
    const end = Math.min(points.length, to);
    if (start < end) {
      push(at, start, false);
      push(start, end, true);
      at = end;
    }
  }
  push(at, points.length, false);
  return marks;
}

/** An excerpt without its marks. */
export function plain(marks: readonly Mark[]): string {
  return marks.map(({ text }) => text).join("");
}
