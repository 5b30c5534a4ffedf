/** What sessions need of a connection, and what they make of a question that failed. */

import type { Daemon } from "./daemon";
import { situationFrom } from "./lookup";
import type { IndexChange } from "./news";
import type { Readable } from "./observable";
import { problemOf } from "./problems";
import type { Situation } from "./situations";
import { answers } from "./situations";

/** A connection as sessions see it. */
export interface Link {
  readonly situation: Readable<Situation>;
  readonly changes: Readable<IndexChange | null>;
  ask<T>(question: (daemon: Daemon) => Promise<T>, again?: boolean): Promise<T>;
}

/** What stands where an answer should: how the connection is where that is why, else what the daemon said. */
export function situationAfter(link: Link, error: unknown): Situation {
  const problem = problemOf(error);
  const now = link.situation.value;
  if (!answers(now) && now.kind !== "looking") {
    return now;
  }
  return problem.lost ? situationFrom(problem, false) : { kind: "failed", detail: problem.message };
}
