/** The questions behind "related": which ones are put to the daemon for a note, a section or a selection. Must not keep anything. */

import type { Link } from "./link";
import type { PathExplanation, SearchResponse } from "./protocol";
import type { Row } from "./rows";
import { rowsOf } from "./rows";
import { asWords } from "./search/tokens";

/** What relatives are wanted of. `text` is the part of the note that counts, null for all of it. */
export interface Subject {
  readonly path: string;
  readonly line: number | null;
  readonly heading: string;
  readonly text: string | null;
}

export interface Found {
  readonly explanation: PathExplanation;
  readonly meaning: readonly Row[];
  readonly entities: readonly Row[];
  readonly note: string;
}

const MOST_CHARACTERS = 800;
/** Passages of the note itself are left out of an answer, so a few more are asked for. */
const SPARE = 10;
const MOST_NAMED = 10;

/** Rejects with a DaemonProblem. `whole` reads the note, which is asked for only where the index does not have it. */
export async function askRelatives(link: Link, subject: Subject, limit: number, whole: () => Promise<string>): Promise<Found> {
  const explanation = await link.ask((daemon) => daemon.explain(subject.path));
  const answer = await nearest(link, subject, limit, explanation.indexed, whole);
  const names = explanation.indexed && subject.heading !== "selection" ? await namesakes(link, subject, explanation) : null;
  const rows = bestOfEach(rowsOf(answer?.results ?? []), subject.path).slice(0, limit);
  return { explanation, meaning: rows, entities: bestOfEach(rowsOf(names?.results ?? []), subject.path), note: noteOf(answer) };
}

async function nearest(link: Link, { path, heading, text }: Subject, limit: number, indexed: boolean, whole: () => Promise<string>): Promise<SearchResponse | null> {
  const ofNote = () => link.ask((daemon) => daemon.related({ path, limit }));
  if (text === null && indexed) {
    return await ofNote();
  }
  // The index knows nothing of an excluded note, but its text can be asked about like any other.
  const words = asWords(text === null ? await whole() : `${heading === "selection" ? "" : heading} ${text}`, MOST_CHARACTERS);
  const answer = words === "" ? null : await link.ask((daemon) => daemon.search({ query: words, limit: limit + SPARE }));
  // Without a model few passages have enough of a section's words; the whole note says more.
  const isAlone = answer === null || answer.results.every((hit) => hit.path === path);
  return isAlone && indexed && heading !== "selection" ? await ofNote() : answer;
}

/** Notes with the same names; none of it is worth an error. */
async function namesakes(link: Link, { path, line }: Subject, { chunks = [] }: PathExplanation): Promise<SearchResponse | null> {
  // Front matter is in no passage, so that a note's first line may have no names.
  const passage = chunks.find(({ start_line: start, end_line: end }) => line !== null && start <= line && line <= end) ?? chunks[0];
  if (passage === undefined) {
    return null;
  }
  try {
    return await link.ask((daemon) => daemon.like({ address: `${path}:${passage.start_line}`, limit: MOST_NAMED }));
  } catch {
    return null;
  }
}

/** The best passage of each other note. */
function bestOfEach(rows: readonly Row[], own: string): readonly Row[] {
  const seen = new Set([own.normalize("NFC")]);
  return rows.filter(({ path }) => {
    const isNew = !seen.has(path);
    seen.add(path);
    return isNew;
  });
}

function noteOf(answer: SearchResponse | null): string {
  return answer?.degraded.filter(({ code }) => code !== "disabled").map(({ reason }) => reason)[0] ?? "";
}
