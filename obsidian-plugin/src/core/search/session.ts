/**
 * Search as you type: words at once, meaning joins. Owns when what is asked, which answers are too late, and the rows. Two lanes, each
 * with one request on its way, so that a model that is slow to answer never keeps the words of the next letter waiting.
 */

import type { Link } from "../link";
import { situationAfter } from "../link";
import type { Readable } from "../observable";
import { Cell } from "../observable";
import type { Cancel, Timers } from "../ports";
import type { SearchResponse } from "../protocol";
import type { Row } from "../rows";
import { rowsOf } from "../rows";
import { LIMITS } from "../settings";
import type { Mode } from "../settings";
import type { Situation } from "../situations";
import { answers, tell } from "../situations";
import { joined } from "./joining";
import { Lane } from "./lane";

/** `words`: asked, or shown and meaning to come; `meaning`: words are shown; `complete`: all that there is; `failed`: the last good rows stay. */
export type Phase = "idle" | "words" | "meaning" | "complete" | "failed";

export interface SearchState {
  readonly query: string;
  readonly mode: Mode;
  readonly phase: Phase;
  readonly rows: readonly Row[];
  /** What stands in place of rows or above them; null where rows say it all. */
  readonly situation: Situation | null;
  /** One line on what was missing from the answer, "" for nothing. */
  readonly note: string;
  readonly suggestion: string | null;
  readonly tookMs: number;
  /** Whether more rows can be asked for. */
  readonly more: boolean;
  /** What a screen reader is told; changes only when something is worth telling. */
  readonly announce: string;
}

const TYPING_MS = 60;
const PAUSE_MS = 180;
const WARMING_MS = 1_500;
const WARMING_TRIES = 20;
const STEP = 50;

interface Wanted {
  readonly query: string;
  readonly mode: Mode;
  readonly limit: number;
}

export class SearchSession {
  private readonly cell: Cell<SearchState>;
  private readonly endings: readonly Cancel[];
  private readonly words = new Lane();
  private readonly meaning = new Lane();
  private cancelTimer: Cancel = () => undefined;
  private held: string | null = null;
  private limit: number;
  /** What was asked before has no say after the next question. */
  private wanted: Wanted | null = null;

  constructor(
    private readonly link: Link,
    private readonly timers: Timers,
    private readonly options: { readonly mode: Mode; readonly limit: number },
  ) {
    this.limit = options.limit;
    this.cell = new Cell<SearchState>(blank("", options.mode));
    this.endings = [
      link.changes.subscribe(() => this.refresh()),
      link.situation.subscribe((situation) => {
        if (this.cell.value.phase === "failed" && answers(situation)) {
          this.submit();
        }
      }),
    ];
  }

  get state(): Readable<SearchState> {
    return this.cell;
  }

  /** Takes what stands in the field now. */
  type(query: string): void {
    if (query.trim() === this.cell.value.query.trim()) {
      this.patch({ query });
      return;
    }
    this.held = null;
    this.limit = this.options.limit;
    this.begin(query, this.cell.value.mode, TYPING_MS);
  }

  setMode(mode: Mode): void {
    if (mode !== this.cell.value.mode) {
      this.begin(this.cell.value.query, mode, 0);
    }
  }

  /** Asks now, without waiting for the next letter; asks again where all was answered. */
  submit(): void {
    this.begin(this.cell.value.query, this.cell.value.mode, 0);
  }

  /** Asks for more rows of the same question. */
  more(): void {
    if (this.cell.value.more) {
      this.limit = Math.min(LIMITS.results.most, this.limit + STEP);
      this.held = this.cell.value.rows.at(-1)?.key ?? null;
      this.submit();
    }
  }

  /** Says which row a person points at or has moved to; null for none. It and those above it stay when meaning joins. */
  hold(key: string | null): void {
    this.held = key;
  }

  /** The index changed: the same question once more, behind the rows that are shown. */
  refresh(): void {
    const { query, mode } = this.cell.value;
    if (query.trim() !== "" && this.cell.value.phase === "complete") {
      const again = { query, mode, limit: this.limit };
      this.wanted = again;
      this.meaning.run(() => this.askFor(again, again.mode, WARMING_TRIES));
    }
  }

  /** Ends it; answers on their way are dropped. */
  close(): void {
    this.endings.forEach((end) => end());
    this.abandon();
  }

  private abandon(): void {
    this.wanted = null;
    this.cancelTimer();
    this.words.clear();
    this.meaning.clear();
  }

  private begin(query: string, mode: Mode, wait: number): void {
    this.abandon();
    if (query.trim() === "") {
      this.cell.set(blank(query, mode));
      return;
    }
    const wanted = { query, mode, limit: this.limit };
    this.wanted = wanted;
    this.patch({ query, mode, phase: mode === "semantic" ? "meaning" : "words" });
    this.cancelTimer = this.timers.after(wait, () => {
      const lane = mode === "semantic" ? this.meaning : this.words;
      lane.run(() => this.askFor(wanted, mode === "hybrid" ? "lexical" : mode, 0));
    });
  }

  private async askFor(wanted: Wanted, mode: Mode, tries: number): Promise<void> {
    if (wanted !== this.wanted) {
      return;
    }
    const { query, limit } = wanted;
    try {
      const answer = await this.link.ask((daemon) => daemon.search({ query: query.trim(), limit, mode, max_wait: tries === 0 ? 3 : 20 }));
      if (wanted === this.wanted) {
        this.take(wanted, mode, answer, tries);
      }
    } catch (error) {
      if (wanted === this.wanted) {
        this.fail(error);
      }
    }
  }

  private take(wanted: Wanted, mode: Mode, answer: SearchResponse, tries: number): void {
    const first = mode === "lexical" && wanted.mode === "hybrid";
    const warming = answer.degraded.some(({ lane, code }) => lane === "semantic" && code === "warming") && tries < WARMING_TRIES;
    const rows = joined(this.cell.value.rows, rowsOf(answer.results), this.held);
    const complete = !first && !warming;
    const suggestion = answer.suggestion ?? null;
    this.patch({
      rows,
      suggestion,
      phase: complete ? "complete" : "meaning",
      situation: complete && rows.length === 0 ? { kind: "no-results", suggestion } : null,
      note: noteOf(answer),
      tookMs: answer.took_ms,
      more: answer.results.length >= wanted.limit && wanted.limit < LIMITS.results.most,
      announce: announced(rows.length, complete),
    });
    if (!complete) {
      const wait = first ? PAUSE_MS : WARMING_MS;
      this.cancelTimer = this.timers.after(wait, () => this.meaning.run(() => this.askFor(wanted, wanted.mode, first ? 0 : tries + 1)));
    }
  }

  private fail(error: unknown): void {
    const situation = situationAfter(this.link, error);
    this.patch({ phase: "failed", situation, note: "", announce: tell(situation).title });
  }

  private patch(change: Partial<SearchState>): void {
    this.cell.set({ ...this.cell.value, ...change });
  }
}

function blank(query: string, mode: Mode): SearchState {
  const situation: Situation = { kind: "no-query" };
  return { query, mode, phase: "idle", rows: [], situation, note: "", suggestion: null, tookMs: 0, more: false, announce: "" };
}

/** Lanes that a person has switched off are no news; what is left out of the answer for another reason is. */
function noteOf(answer: SearchResponse): string {
  return answer.degraded.filter(({ code }) => code !== "disabled").map(({ reason }) => reason)[0] ?? "";
}

function announced(count: number, complete: boolean): string {
  if (count === 0) {
    return complete ? "Nothing found" : "";
  }
  return `${count} ${count === 1 ? "result" : "results"}${complete ? "" : " by words, meaning follows"}`;
}
