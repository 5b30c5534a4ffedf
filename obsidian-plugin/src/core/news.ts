/** The long poll: what changed in the index, and how the daemon is. Must not run while nobody looks; whoever starts it also ends it. */

import type { Daemon } from "./daemon";
import type { Cancel, Timers } from "./ports";
import type { DaemonProblem } from "./problems";
import { problemOf } from "./problems";
import type { Event, Status } from "./protocol";

/** Notes that changed, as far as the daemon names them, in the index of this generation. */
export interface IndexChange {
  readonly generation: number;
  readonly paths: readonly string[];
}

export interface Hearer {
  readonly status: (status: Status) => void;
  readonly change: (change: IndexChange) => void;
  readonly problem: (problem: DaemonProblem) => void;
}

const CALM_S = 25;
/** While it works, the daemon tells nobody how far it is: it has to be asked. */
const BUSY_S = 2;
/** Many notes saved at once are one piece of news. */
const REST_MS = 400;
const CHANGES = new Set(["index", "embed", "model"]);

/** Listens until cancelled or until a request fails, of which `problem` is told once. */
export function listen(daemon: Daemon, timers: Timers, hearer: Hearer): Cancel {
  let ended = false;
  let cancelRest: Cancel = () => undefined;
  let since: number | null = null;
  let busy = false;

  const heard = (events: readonly Event[]) => {
    const changes = events.filter(({ kind }) => CHANGES.has(kind));
    const last = changes.at(-1);
    if (last !== undefined) {
      hearer.change({ generation: last.generation, paths: [...new Set(changes.flatMap(({ paths }) => paths ?? []))] });
    }
  };

  const turn = async () => {
    try {
      // The first answer only tells where to begin: what changed before is in every answer already.
      const news = await daemon.events(since ?? 0, since === null ? 0 : busy ? BUSY_S : CALM_S);
      const status = isOver() || (since !== null && news.events?.length === 0 && !busy) ? null : await daemon.status();
      if (isOver()) {
        return;
      }
      if (status !== null) {
        busy = status.state === "indexing" || status.pending > 0;
        hearer.status(status);
      }
      if (since !== null) {
        heard(news.events ?? []);
      } else if (status !== null) {
        // Nobody listened before: whether that is news, the hearer knows.
        hearer.change({ generation: status.generation, paths: [] });
      }
      since = news.next;
      cancelRest = timers.after(REST_MS, () => void turn());
    } catch (error) {
      if (!isOver()) {
        ended = true;
        hearer.problem(problemOf(error));
      }
    }
  };

  const isOver = () => ended;
  void turn();
  return () => {
    ended = true;
    cancelRest();
  };
}
