/** Where a passage stands in a note that may have changed since it was indexed. Pure: a text and a passage in, lines out. */

/** `words` is the passage's text or its excerpt; `heading` the headings above it. Lines are 1-based and inclusive. */
export interface Passage {
  readonly start: number;
  readonly end: number;
  readonly words: string;
  readonly heading: readonly string[];
}

/** `same`: where it was; `moved`: its words are elsewhere now; `near`: only its heading was found; `lost`: neither. */
export interface Anchor {
  readonly start: number;
  readonly end: number;
  readonly how: "same" | "moved" | "near" | "lost";
}

const STAYS = 0.8;
const FOUND = 0.5;
const MOST_WORDS = 400;

/** The lines where `passage` stands in `text` now. */
export function anchor(text: string, passage: Passage): Anchor {
  const lines = linesOf(text);
  const start = clamp(passage.start, 1, lines.length);
  const end = clamp(passage.end, start, lines.length);
  const words = new Set(wordsOf(passage.words).slice(0, MOST_WORDS));
  const found = lines.map((line) => [...new Set(wordsOf(line))].filter((word) => words.has(word)));
  const weigh = weightsOf(words, found);
  const there = share(found.slice(passage.start - 1, passage.end), weigh);
  if (words.size === 0 || there >= STAYS) {
    return { start, end, how: passage.start > lines.length ? "lost" : "same" };
  }
  const best = bestWindow(found, weigh, Math.max(3, passage.end - passage.start + 1), passage.start);
  if (best.share >= FOUND && best.share > there) {
    return { start: best.start, end: best.end, how: "moved" };
  }
  if (there >= FOUND) {
    return { start, end, how: "same" };
  }
  const heading = headingLine(lines, passage.heading);
  return heading === null ? { start, end, how: "lost" } : { start: heading, end: heading, how: "near" };
}

/** The lines of a text, ended as the daemon counts them: `\n`, `\r\n` and `\r`. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}

/** Words in their plainest form. Scripts without spaces give pairs of characters: where their words end, nobody marks. */
export function wordsOf(text: string): readonly string[] {
  const plain = text.normalize("NFKC").toLowerCase().replace(/ё/g, "е");
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) => (UNSPACED.test(word) ? pairsOf(word) : [word]));
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function pairsOf(word: string): readonly string[] {
  const points = Array.from(word);
  return points.length < 2 ? points : points.slice(1).map((point, index) => `${points[index] ?? ""}${point}`);
}

/** Words that stand in few lines say more about where a passage is. They sum to 1; a word that is nowhere weighs like the rarest. */
function weightsOf(words: ReadonlySet<string>, found: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const word of found.flat()) {
    lines.set(word, (lines.get(word) ?? 0) + 1);
  }
  const raw = [...words].map((word) => [word, 1 / Math.sqrt(lines.get(word) ?? 1)] as const);
  const sum = raw.reduce((total, [, weight]) => total + weight, 0);
  return new Map(raw.map(([word, weight]) => [word, weight / sum]));
}

function share(found: readonly (readonly string[])[], weigh: ReadonlyMap<string, number>): number {
  return [...new Set(found.flat())].reduce((total, word) => total + (weigh.get(word) ?? 0), 0);
}

/** The window of `height` lines that has most of the passage, the nearest to `wanted` of equals, without lines at its edges that have nothing. */
function bestWindow(found: readonly (readonly string[])[], weigh: ReadonlyMap<string, number>, height: number, wanted: number) {
  const inside = new Map<string, number>();
  let total = 0;
  const add = (word: string, change: 1 | -1) => {
    const before = inside.get(word) ?? 0;
    inside.set(word, before + change);
    if (before === 0 || before + change === 0) {
      total += change * (weigh.get(word) ?? 0);
    }
  };
  let best = { share: 0, last: 0, distance: Number.POSITIVE_INFINITY };
  for (const [last, words] of found.entries()) {
    words.forEach((word) => add(word, 1));
    found[last - height]?.forEach((word) => add(word, -1));
    const distance = Math.abs(last - height + 2 - wanted);
    const gain = total - best.share;
    if (gain > 1e-9 || (gain > -1e-9 && distance < best.distance)) {
      best = { share: total, last, distance };
    }
  }
  const first = Math.max(0, best.last - height + 1);
  const window = found.slice(first, best.last + 1);
  const lead = window.findIndex((words) => words.length > 0);
  const tail = [...window].reverse().findIndex((words) => words.length > 0);
  return { share: best.share, start: first + Math.max(0, lead) + 1, end: best.last + 1 - Math.max(0, tail) };
}

function headingLine(lines: readonly string[], heading: readonly string[]): number | null {
  const last = heading.at(-1);
  if (last === undefined) {
    return null;
  }
  const wanted = wordsOf(last).join(" ");
  const at = lines.findIndex((line) => /^ {0,3}#{1,6}\s/.test(line) && wordsOf(line).join(" ") === wanted);
  return at < 0 ? null : at + 1;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
