/** Which heading a link to a line of a note names, so that it leads there and nowhere else. Pure. */

/** A heading as Obsidian has it in memory; `line` is 1-based. */
export interface Heading {
  readonly text: string;
  readonly level: number;
  readonly line: number;
}

/** The nearest heading above `line`, with those above it only where others have the same text; [] where there is none. */
export function headingOf(headings: readonly Heading[], line: number): readonly string[] {
  const before = headings.filter((heading) => heading.line <= line);
  const nearest = before.at(-1);
  if (nearest === undefined) {
    return [];
  }
  const alone = headings.filter(({ text }) => text === nearest.text).length === 1;
  return alone ? [nearest.text] : pathOf(before);
}

/** The last of these headings below those that it stands under. */
function pathOf(before: readonly Heading[]): readonly string[] {
  const own = before.at(-1);
  if (own === undefined) {
    return [];
  }
  const above = before.findIndex((heading, index) => heading.level < own.level && before.slice(index + 1).every(({ level }) => level >= own.level));
  return [...pathOf(before.slice(0, above + 1)), own.text];
}
