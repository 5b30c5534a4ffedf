/**
 * The connection to this vault's daemon: found, lost, found again. Owns the pauses between looks, the long poll for news, and which
 * situation holds. Must not know what is asked of the daemon.
 */

import type { Daemon } from "./daemon";
import type { Looked, Vault } from "./lookup";
import { look, situationFrom } from "./lookup";
import type { IndexChange } from "./news";
import { listen } from "./news";
import type { Readable } from "./observable";
import { Cell } from "./observable";
import type { Cancel, Ports } from "./ports";
import type { ProblemKind } from "./problems";
import { DaemonProblem, problemOf } from "./problems";
import type { Status } from "./protocol";
import type { Settings } from "./settings";
import type { Situation, Told } from "./situations";
import { situationOf, tell } from "./situations";

const PAUSES_MS = [2_000, 5_000, 10_000, 30_000] as const;
const START_LOOK_MS = 1_000;
const START_PATIENCE_MS = 60_000;
const FRESH_MS = 2_000;

export interface Access {
  readonly vault: Vault;
  /** The token of a daemon that is asked by address; read anew with each look. */
  readonly token: () => string | null;
}

export class Connection {
  private readonly told = new Cell<Situation>({ kind: "looking" });
  private readonly seen = new Cell<Status | null>(null);
  private readonly changed = new Cell<IndexChange | null>(null);
  private settings: Settings | null = null;
  private daemon: Daemon | null = null;
  private looking: Promise<Looked> | null = null;
  private visible = false;
  private generation = 0;
  private failures = 0;
  private failedAt = Number.NEGATIVE_INFINITY;
  private startUntil = Number.NEGATIVE_INFINITY;
  /** What began before the settings changed or the connection stopped has no say any more. */
  private epoch = 0;
  private cancelPause: Cancel = () => undefined;
  private cancelNews: Cancel = () => undefined;

  constructor(
    private readonly ports: Ports,
    private readonly access: Access,
  ) {}

  /** How the connection and the index are. */
  get situation(): Readable<Situation> {
    return this.told;
  }

  /** What the daemon last said of itself; kept while it is away. */
  get status(): Readable<Status | null> {
    return this.seen;
  }

  /** The last change of the index: lists are to be asked for again. */
  get changes(): Readable<IndexChange | null> {
    return this.changed;
  }

  /** Begins, or begins anew with other settings. Sends nothing before it is called. */
  start(settings: Settings): void {
    this.stop();
    this.settings = settings;
    this.failures = 0;
    this.told.set({ kind: "looking" });
    void this.attempt();
  }

  /** Ends every request and pause of its own. */
  stop(): void {
    this.epoch += 1;
    this.settings = null;
    this.daemon = null;
    this.looking = null;
    this.failedAt = Number.NEGATIVE_INFINITY;
    this.startUntil = Number.NEGATIVE_INFINITY;
    this.cancelPause();
    this.cancelNews();
  }

  /** Says whether anything of ours can be seen: news are fetched and lost daemons looked for only then. */
  watch(visible: boolean): void {
    if (visible === this.visible) {
      return;
    }
    this.visible = visible;
    this.cancelPause();
    this.cancelNews();
    if (visible && this.settings !== null) {
      this.resume();
    }
  }

  /** Looks for the daemon now instead of at the end of the pause. */
  retry(): Promise<void> {
    this.failures = 0;
    this.cancelPause();
    return this.attempt();
  }

  /** Says that somebody has just started the daemon: looked for every second until it answers, for a minute. */
  starting(): void {
    this.startUntil = this.ports.timers.now() + START_PATIENCE_MS;
    this.told.set({ kind: "starting" });
    void this.retry();
  }

  /**
   * Asks the daemon, after looking for it where there is none. `again`: the question may be put twice, so that a daemon that was started
   * anew in between costs nothing. Rejects with a DaemonProblem; within two seconds of a failed look at once.
   */
  async ask<T>(question: (daemon: Daemon) => Promise<T>, again = true): Promise<T> {
    const epoch = this.epoch;
    const daemon = await this.found();
    try {
      return await question(daemon);
    } catch (error) {
      const problem = problemOf(error);
      if (epoch !== this.epoch || !problem.lost) {
        throw problem;
      }
      if (this.daemon === daemon) {
        this.lose();
      }
      if (!again && problem.kind === "silent") {
        void this.attempt();
        throw problem;
      }
      return await question(await this.found());
    }
  }

  /** Looks once, whatever is going on, and says in words what came of it. Changes nothing. */
  async test(settings: Settings): Promise<Told> {
    return tell((await look(this.ports, this.access.vault, settings, this.access.token())).situation);
  }

  /** Asks how the daemon is, now. */
  async refresh(): Promise<void> {
    const daemon = this.daemon;
    if (daemon === null) {
      await this.attempt();
      return;
    }
    try {
      const status = await daemon.status();
      // Every look makes a daemon of its own: one that was left has no say any more.
      if (daemon === this.daemon) {
        this.learn(status);
      }
    } catch (error) {
      this.fail(daemon, problemOf(error));
    }
  }

  private async found(): Promise<Daemon> {
    if (this.daemon !== null) {
      return this.daemon;
    }
    if (this.ports.timers.now() - this.failedAt >= FRESH_MS) {
      await this.attempt();
    }
    // Read anew: the attempt sets it, which the compiler does not see.
    return (this.daemon as Daemon | null) ?? this.nobody();
  }

  private nobody(): never {
    const situation = this.told.value;
    const { sentence } = tell(situation);
    throw new DaemonProblem(KINDS[situation.kind] ?? "silent", sentence);
  }

  /** One look at a time; whoever comes meanwhile waits for its end. */
  private async attempt(): Promise<void> {
    const { settings, epoch } = this;
    if (settings === null) {
      return;
    }
    this.cancelPause();
    this.looking ??= look(this.ports, this.access.vault, settings, this.access.token());
    const mine = this.looking;
    const looked = await mine;
    if (epoch === this.epoch && this.looking === mine) {
      this.looking = null;
      this.settle(looked);
    }
  }

  private settle(looked: Looked): void {
    if (looked.daemon === null) {
      this.daemon = null;
      this.failedAt = this.ports.timers.now();
      this.told.set(this.patient(looked.situation));
      this.pause();
      return;
    }
    this.daemon = looked.daemon;
    this.failures = 0;
    this.failedAt = Number.NEGATIVE_INFINITY;
    this.startUntil = Number.NEGATIVE_INFINITY;
    const first = this.seen.value === null;
    this.learn(looked.status);
    if (first) {
      this.generation = looked.status.generation;
    }
    this.hear({ generation: looked.status.generation, paths: [] });
    this.resume();
  }

  private patient(situation: Situation): Situation {
    const waiting = situation.kind === "no-daemon" && this.ports.timers.now() < this.startUntil;
    return waiting ? { kind: "starting" } : situation;
  }

  private pause(): void {
    this.cancelPause();
    if (!this.visible) {
      return;
    }
    const starting = this.told.value.kind === "starting";
    const last = PAUSES_MS[PAUSES_MS.length - 1] ?? START_LOOK_MS;
    const pause = starting ? START_LOOK_MS : (PAUSES_MS[this.failures] ?? last);
    this.failures += starting ? 0 : 1;
    this.cancelPause = this.ports.timers.after(pause, () => void this.attempt());
  }

  private resume(): void {
    const { daemon } = this;
    if (daemon === null) {
      void this.attempt();
      return;
    }
    this.cancelNews();
    if (this.visible) {
      this.cancelNews = listen(daemon, this.ports.timers, {
        status: (status) => this.learn(status),
        change: (change) => this.hear(change),
        problem: (problem) => this.fail(daemon, problem),
      });
    }
  }

  private learn(status: Status): void {
    this.seen.set(status);
    this.told.set(situationOf(status));
  }

  private hear(change: IndexChange): void {
    if (change.paths.length > 0 || change.generation !== this.generation) {
      this.generation = change.generation;
      this.changed.set(change);
    }
  }

  private lose(): void {
    this.daemon = null;
    this.cancelNews();
    this.failedAt = Number.NEGATIVE_INFINITY;
  }

  private fail(daemon: Daemon, problem: DaemonProblem): void {
    if (daemon !== this.daemon) {
      return;
    }
    this.lose();
    if (problem.lost) {
      void this.attempt();
      return;
    }
    this.told.set(situationFrom(problem, this.settings?.connect === "url"));
    this.pause();
  }
}

/** Which kind of problem a question meets in a situation without a daemon. */
const KINDS: { readonly [Kind in Situation["kind"]]?: ProblemKind } = {
  unauthorised: "unauthorised",
  imposter: "imposter",
  refused: "forbidden",
  "older-daemon": "version",
  "newer-daemon": "version",
  busy: "busy",
};
