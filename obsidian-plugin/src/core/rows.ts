/** One row of a list of passages: what a hit of the wire is to a person. Must not know how it is drawn. */

import type { Mark } from "./excerpt";
import { markExcerpt } from "./excerpt";
import type { FactRef, Hit, Signals } from "./protocol";

/** Why a passage is there: a word or two, and the figures behind it. */
export interface Badge {
  readonly label: string;
  readonly detail: string;
}

/** `start` and `end` are 1-based and inclusive; `key` is the same for the same passage in every answer. */
export interface Row {
  readonly key: string;
  readonly path: string;
  readonly title: string;
  readonly heading: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly lines: string;
  readonly excerpt: readonly Mark[];
  readonly tags: readonly string[];
  readonly score: number;
  readonly badge: Badge;
  readonly tier: number;
  readonly modified: string;
  readonly fact: FactRef | null;
  /** Names that led here, for questions about names. */
  readonly via: readonly string[];
}

/** Rows of one answer, in its order. */
export function rowsOf(hits: readonly Hit[]): readonly Row[] {
  const seen = new Map<string, number>();
  return hits.map((hit) => {
    const passage = `${hit.path}\n${hit.chunk}`;
    const times = seen.get(passage) ?? 0;
    seen.set(passage, times + 1);
    return rowOf(hit, times === 0 ? passage : `${passage}\n${times}`);
  });
}

/** `L42–77`, or `L42` for a single line. */
export function linesLabel(start: number, end: number): string {
  return start === end ? `L${start}` : `L${start}–${end}`;
}

/** Headings above a passage as one line, without a first one that only says the title again. */
export function headingLabel(row: Pick<Row, "heading" | "title">): string {
  const [first, ...rest] = row.heading;
  return (first === row.title ? rest : row.heading).join(" › ");
}

export function badgeOf(signals: Signals): Badge {
  const spoken = LANES.flatMap(([name, lane]) => {
    const value = signals[lane];
    return typeof value === "number" && value > 0 ? [{ name, value }] : [];
  });
  const figures = spoken.map(({ name, value }) => `${capital(name)} ${value.toFixed(2)}`);
  const coverage = signals.coverage ?? 0;
  const factors = FACTORS.flatMap(([name, factor]) => {
    const value = signals[factor] ?? 1;
    return value === 1 ? [] : [`${name} ×${value.toFixed(2)}`];
  });
  const covered = coverage > 0 ? [`${Math.round(coverage * 100)} % of the query's words`] : [];
  return { label: spoken.map(({ name }) => name).join(" + "), detail: [...figures, ...covered, ...factors].join(" · ") };
}

const LANES = [
  ["words", "lexical"],
  ["meaning", "semantic"],
  ["names", "hrr"],
] as const;

const FACTORS = [
  ["Tier", "tier"],
  ["Trust", "trust"],
  ["Age", "decay"],
] as const;

function rowOf(hit: Hit, key: string): Row {
  return {
    key,
    path: hit.path,
    title: hit.title,
    heading: hit.heading,
    start: hit.start_line,
    end: hit.end_line,
    lines: linesLabel(hit.start_line, hit.end_line),
    excerpt: markExcerpt(hit.excerpt, hit.matches),
    tags: hit.tags,
    score: hit.score,
    badge: badgeOf(hit.signals),
    tier: hit.tier,
    modified: hit.modified,
    fact: hit.fact ?? null,
    via: hit.via ?? [],
  };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
