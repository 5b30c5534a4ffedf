/** Suggestions for the filter that is being typed. Pure; must not know where folders and tags come from. */

import { FILTERS, filterText } from "./tokens";

/** What this vault has to filter by. Tags are without `#`, properties are keys of front matter. */
export interface Known {
  readonly folders: readonly string[];
  readonly tags: readonly string[];
  readonly properties: readonly string[];
  readonly projects: readonly string[];
}

/** `query` is the whole field with the suggestion put in, `cursor` where typing goes on. */
export interface Suggestion {
  readonly text: string;
  readonly detail: string;
  readonly query: string;
  readonly cursor: number;
}

const MOST = 12;

const DETAILS: Readonly<Record<(typeof FILTERS)[number], string>> = {
  folder: "inside this folder, at any depth",
  path: "the path contains this",
  file: "the file name contains this",
  tag: "has this tag or one below it",
  project: "belongs to this project",
  tier: "notes of this tier",
  after: "modified since this day",
  before: "modified before this day",
  within: "modified in the last hours, days or weeks",
  in: "the words stand in the title",
  fact: "facts only",
  category: "facts of this category",
  trust: "facts with at least or at most this trust",
};

const FIXED: Readonly<Record<string, readonly string[]>> = {
  within: ["24h", "7d", "14d", "4w", "6m", "1y"],
  in: ["title"],
  tier: ["1", "2"],
  fact: ["any"],
  trust: [">0.6", "<0.4"],
};

/** What fits the word at `cursor`; nothing inside ordinary words. */
export function suggest(query: string, cursor: number, known: Known): readonly Suggestion[] {
  const typed = typedAt(query, cursor);
  const sign = typed.word.startsWith("-") ? "-" : "";
  const word = typed.word.slice(sign.length);
  const put = (raw: string, detail: string, goOn = false): Suggestion => {
    const before = query.slice(0, typed.from) + sign + raw + (goOn ? "" : " ");
    return { text: sign + raw, detail, query: before + query.slice(cursor).trimStart(), cursor: before.length };
  };
  if (word.startsWith("#")) {
    return matching(known.tags, word.slice(1)).map((tag) => put(`#${tag}`, "tag"));
  }
  if (word.startsWith("[")) {
    return matching(known.properties, word.slice(1)).map((key) => put(`[${key}]`, "property of a note"));
  }
  const colon = word.indexOf(":");
  if (colon > 0) {
    const key = word.slice(0, colon).toLowerCase();
    return matching(valuesOf(key, known), word.slice(colon + 1).replace(/["“”]/g, "")).map((value) => put(filterText(key, value), key));
  }
  // One letter is the beginning of a word far more often, and suggestions cover what it found.
  return word.length < 2 ? [] : FILTERS.filter((key) => key.startsWith(word.toLowerCase())).map((key) => put(`${key}:`, DETAILS[key], true));
}

function typedAt(query: string, cursor: number): { readonly word: string; readonly from: number } {
  const before = query.slice(0, cursor);
  // An open quote or bracket belongs to the word with all spaces in it.
  const open = /(?:^|\s)(-?(?:[A-Za-z]{2,10}:["“][^"”]*|\[[^\]]*))$/.exec(before);
  const word = open?.[1] ?? /\S*$/.exec(before)?.[0] ?? "";
  return { word, from: cursor - word.length };
}

function valuesOf(key: string, known: Known): readonly string[] {
  const own: Readonly<Record<string, readonly string[]>> = { folder: known.folders, path: known.folders, tag: known.tags, project: known.projects };
  return own[key] ?? FIXED[key] ?? [];
}

/** Those that begin with what is typed, then those in which a word begins with it, then those that contain it. */
function matching(values: readonly string[], typed: string): readonly string[] {
  const wanted = folded(typed);
  const rank = (value: string): number => {
    const text = folded(value);
    const at = text.indexOf(wanted);
    return at <= 0 ? at : /[\s/_-]/.test(text.charAt(at - 1)) ? 1 : 2;
  };
  const ranked = values.map((value) => ({ value, rank: rank(value) })).filter((one) => one.rank >= 0 && folded(one.value) !== wanted);
  return ranked.sort((one, other) => one.rank - other.rank).slice(0, MOST).map(({ value }) => value);
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/ё/g, "е");
}
