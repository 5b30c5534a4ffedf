/** An excerpt as a person reads it: without the signs of Markdown, with every mark where it was. Pure; a marked character is never left out. */

import type { Mark } from "./excerpt";

/** One character; `fixed`: what stands in code or behind a backslash is text, whatever it looks like. */
interface Cell {
  readonly text: string;
  readonly marked: boolean;
  readonly fixed: boolean;
}

/** The groups of `pattern` cover all that it matches: those named in `kept` stay, the others go. */
interface Rule {
  readonly pattern: RegExp;
  readonly kept: readonly number[];
  readonly fixes?: boolean;
  /** What stands instead of the last group that goes. */
  readonly put?: (match: RegExpMatchArray) => string;
}

const TAGS = "a|b|i|u|s|p|hr|em|div|del|ins|img|kbd|sub|sup|mark|span|font|small|strong|center|details|summary";

const RULES: readonly Rule[] = [
  { pattern: /(`{3,}[\w+#-]* )(.*?)( ?`{3,}|$)/g, kept: [2], fixes: true },
  { pattern: /(``?)([^`]+)(\1)(?!`)/g, kept: [2], fixes: true },
  { pattern: /(\\)([\\*_[\]`#<>~|!()-])/g, kept: [2], fixes: true },
  { pattern: /(!?\[\[[^[\]|]*\|)([^[\]|]+)(\]\])/g, kept: [2] },
  { pattern: /(!?\[\[)([^[\]|]+)(\]\])/g, kept: [2] },
  { pattern: /(!?\[)([^[\]]*)(\]\((?:<[^<>]*>|[^\s()<>]*(?:\([^\s()]*\)[^\s()]*)?)(?: "[^"]*")?\))/g, kept: [2] },
  { pattern: /(<)(https?:\/\/[^<> ]+)(>)/g, kept: [2] },
  { pattern: /( ?<br ?\/?> ?)/gi, kept: [], put: () => " " },
  { pattern: new RegExp(`(</?(?:${TAGS})(?:\\s[^<>]*)?/?>)`, "gi"), kept: [] },
  { pattern: /( ?\[\^[^\]\s]+\])/g, kept: [] },
  { pattern: /( ?\[(?:created|trust):: [^[\]]*\])/g, kept: [] },
  { pattern: /([[(])([\p{L}\p{N}_ -]+:: [^[\]()]*)([\])])/gu, kept: [2] },
  { pattern: /(^| )((?:[-*+]|\d+[.)]) \[[^\]]\])(?= )/g, kept: [1], put: (match) => (match[2]?.endsWith("[ ]") === true ? "☐" : "☑") },
  { pattern: /(> \[![\p{L}-]+\][+-]? ?)/gu, kept: [] },
  { pattern: /(^(?:[-*+>]|\d+[.)]) )/g, kept: [] },
  { pattern: /(^#{1,6} )/g, kept: [] },
  { pattern: /( )(#{1,6})(?= )/g, kept: [1], put: () => "·" },
  { pattern: /( \^[A-Za-z0-9-]+)(?= |$)/g, kept: [] },
  { pattern: /(\|(?: ?(?:-{2,}:?|:-+:?|-+:) ?\|)+ ?)/g, kept: [] },
  { pattern: /(^\| )/g, kept: [] },
  { pattern: /(\|)( \|)(?= |$)/g, kept: [1] },
  { pattern: /(\*{1,3})([^\s*](?:[^*]*[^\s*])?)(\1)/g, kept: [2] },
  { pattern: /(^|[^\p{L}\p{N}_])(_{1,3})([^\s_](?:.*?[^\s_])?)(\2)(?![\p{L}\p{N}_])/gu, kept: [1, 3] },
  { pattern: /(~~|==)(\S(?:.*?\S)?)(\1)/g, kept: [2] },
  // Excerpts are cut anywhere, so that one half of a pair may be missing.
  { pattern: /(^|[^\p{L}\p{N}*])(\*\*)(?!\*)/gu, kept: [1] },
  { pattern: /(\*\*)(?![\p{L}\p{N}*])/gu, kept: [] },
];

const known = new WeakMap<readonly Mark[], readonly Mark[]>();

/**
 * `said` are names that the row says already: as headings at the beginning they are left out. `headings` are those of the note, asked for
 * once: an excerpt is one line and does not show where one ends.
 */
export function readable(excerpt: readonly Mark[], said: readonly string[] = [], headings: () => readonly string[] = () => []): readonly Mark[] {
  const before = known.get(excerpt);
  if (before !== undefined) {
    return before;
  }
  const raw = excerpt.flatMap(({ text, marked }) => text.split("").map((unit) => ({ text: unit, marked, fixed: false })));
  let cells = withColons(withoutSaid(raw, said), headings());
  for (const rule of RULES) {
    // What is bold may hold a link, and the other way round.
    cells = apply(cells, rule);
  }
  const made = cells.length === 0 ? excerpt : joinedMarks(cells);
  known.set(excerpt, made);
  return made;
}

function withoutSaid(cells: readonly Cell[], said: readonly string[]): readonly Cell[] {
  const heading = /^#{1,6} /.exec(textOf(cells))?.[0] ?? "";
  const rest = textOf(cells).slice(heading.length);
  const name = heading === "" ? undefined : said.find((one) => rest.startsWith(`${one} `));
  const end = heading.length + (name?.length ?? 0) + 1;
  return name === undefined || cells.slice(0, end).some(({ marked }) => marked) ? cells : withoutSaid(cells.slice(end), said);
}

function withColons(cells: readonly Cell[], headings: readonly string[]): readonly Cell[] {
  const text = textOf(cells);
  const ends = [...text.matchAll(/(?:^| )#{1,6} /g)].flatMap((match) => {
    const from = match.index + match[0].length;
    const lengths = headings.filter((one) => one !== "" && text.startsWith(`${one} `, from)).map(({ length }) => length);
    return lengths.length === 0 ? [] : [from + Math.max(...lengths)];
  });
  const isOpen = (end: number) => ends.includes(end) && !/[\p{P}]/u.test(text.charAt(end - 1));
  return cells.flatMap((cell, index) => (isOpen(index) ? [{ text: ":", marked: false, fixed: true }, cell] : [cell]));
}

function apply(cells: readonly Cell[], { pattern, kept, fixes = false, put }: Rule): readonly Cell[] {
  const made: Cell[] = [];
  let done = 0;
  for (const match of textOf(cells).matchAll(pattern)) {
    made.push(...cells.slice(done, match.index));
    done = match.index;
    const parts = match.slice(1).map((part: string | undefined, index) => {
      const own = cells.slice(done, done + (part?.length ?? 0));
      done += own.length;
      return { own, stays: kept.includes(index + 1) };
    });
    if (parts.some(({ own, stays }) => !stays && own.some(({ marked, fixed }) => fixed || marked))) {
      made.push(...parts.flatMap(({ own }) => own));
      continue;
    }
    made.push(...parts.flatMap(({ own, stays }) => (stays ? own.map((cell) => ({ ...cell, fixed: cell.fixed || fixes })) : [])));
    if (put !== undefined) {
      made.push({ text: put(match), marked: false, fixed: true });
    }
  }
  return [...made, ...cells.slice(done)];
}

function textOf(cells: readonly Cell[]): string {
  // One unit for each cell, so that places in the text are places among the cells.
  return cells.map(({ text }) => text).join("");
}

function joinedMarks(cells: readonly Cell[]): readonly Mark[] {
  const marks: { text: string; marked: boolean }[] = [];
  for (const { text, marked } of cells) {
    const last = marks.at(-1);
    if (last !== undefined && last.marked === marked) {
      last.text += text;
    } else {
      marks.push({ text, marked });
    }
  }
  return marks;
}
