/** The facts of the note that is read: list, remember, correct, forget, feedback. Must not decide anything about facts. */

import type { Link } from "./link";
import { situationAfter } from "./link";
import type { Readable } from "./observable";
import { Cell } from "./observable";
import type { Cancel } from "./ports";
import type { Fact, FeedbackResult, Rating, RememberRequest, Remembered } from "./protocol";
import { Lane } from "./search/lane";
import type { Situation } from "./situations";

export interface NoteFactsState {
  readonly path: string | null;
  readonly facts: readonly Fact[];
  readonly situation: Situation | null;
}

const MOST = 500;

export class NoteFacts {
  private readonly cell = new Cell<NoteFactsState>({ path: null, facts: [], situation: { kind: "no-note" } });
  private readonly lane = new Lane();
  private readonly end: Cancel;

  constructor(private readonly link: Link) {
    this.end = link.changes.subscribe(() => this.refresh());
  }

  get state(): Readable<NoteFactsState> {
    return this.cell;
  }

  /** Shows the facts of a note; null for none. */
  show(path: string | null): void {
    if (path === null) {
      this.cell.set({ path, facts: [], situation: { kind: "no-note" } });
    } else if (path !== this.cell.value.path) {
      this.cell.set({ path, facts: [], situation: null });
      this.refresh();
    }
  }

  refresh(): void {
    const { path } = this.cell.value;
    if (path !== null) {
      this.lane.run(() => this.load(path));
    }
  }

  /** Writes a text into the memory as one fact. Rejects with a DaemonProblem, as all that follow. */
  async remember(request: RememberRequest): Promise<Remembered> {
    return this.changed(await this.link.ask((daemon) => daemon.remember({ ...request, text: oneLine(request.text) }), false));
  }

  async vote(fact: Fact, vote: Rating["vote"]): Promise<FeedbackResult> {
    return this.changed(await this.link.ask((daemon) => daemon.feedback(fact.id, { vote }), false));
  }

  /** Replaces the text of a fact that nobody changed meanwhile. */
  async correct(fact: Fact, text: string): Promise<Fact> {
    const done = await this.link.ask((daemon) => daemon.correct(fact.id, [fact.item], { text: oneLine(text) }), false);
    return this.changed(done.fact);
  }

  /** Removes a fact that nobody changed meanwhile from its note. */
  async forget(fact: Fact): Promise<void> {
    this.changed(await this.link.ask((daemon) => daemon.forget(fact.id, [fact.item]), false));
  }

  close(): void {
    this.end();
    this.lane.clear();
  }

  private async load(path: string): Promise<void> {
    try {
      const { facts } = await this.link.ask((daemon) => daemon.facts({ path, limit: MOST }));
      this.take(path, { path, facts, situation: facts.length === 0 ? { kind: "no-facts" } : null });
    } catch (error) {
      this.take(path, { ...this.cell.value, situation: situationAfter(this.link, error) });
    }
  }

  private take(path: string, state: NoteFactsState): void {
    if (path === this.cell.value.path) {
      this.cell.set(state);
    }
  }

  private changed<T>(done: T): T {
    this.refresh();
    return done;
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
