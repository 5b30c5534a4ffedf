/** What can go wrong between this plugin and the daemon, as one type. Must not decide what a person is told about it. */

/**
 * `silent`: no answer; `timeout`: none in time; `imposter`: another program answers there; the others are the daemon's own words,
 * by their stable code.
 */
export type ProblemKind =
  | "silent"
  | "timeout"
  | "imposter"
  | "unreadable"
  | "unauthorised"
  | "forbidden"
  | "version"
  | "stale"
  | "not-found"
  | "ambiguous"
  | "too-large"
  | "busy"
  | "indexing"
  | "usage"
  | "broken"
  | "other";

/** A request that had no useful answer. `message` is a sentence for people; `quoted` are lines out of the vault and no part of it. */
export class DaemonProblem extends Error {
  override readonly name = "DaemonProblem";
  readonly code: string;
  readonly status: number | null;
  readonly currentHash: string | null;
  readonly quoted: string | null;

  constructor(
    readonly kind: ProblemKind,
    message: string,
    more: { code?: string; status?: number; currentHash?: string | null; quoted?: string | null } = {},
  ) {
    super(message);
    this.code = more.code ?? "";
    this.status = more.status ?? null;
    this.currentHash = more.currentHash ?? null;
    this.quoted = more.quoted ?? null;
  }

  /** Whether the daemon itself may be gone, so that it has to be looked for again. */
  get lost(): boolean {
    return this.kind === "silent" || this.kind === "imposter" || this.kind === "unauthorised";
  }
}

const KINDS: Readonly<Record<string, ProblemKind>> = {
  STALE: "stale",
  NOT_FOUND: "not-found",
  PATH_FORBIDDEN: "forbidden",
  AMBIGUOUS: "ambiguous",
  TOO_LARGE: "too-large",
  BUSY: "busy",
  INDEXING: "indexing",
  UNAUTHORISED: "unauthorised",
  VERSION: "version",
  INDEX_UNREADABLE: "broken",
  CONFIG: "usage",
  USAGE: "usage",
  DISK: "broken",
};

/** The problem that an answer with a status of 400 or more carries (RFC 9457). */
export function problemFrom(status: number, text: string): DaemonProblem {
  const body = objectIn(text);
  const code = textAt(body, "code");
  const detail = textAt(body, "detail");
  if (code === null || detail === null) {
    const reason = `The answer was HTTP ${status} and nothing that can be read. Something between Obsidian and the daemon may have answered instead.`;
    return new DaemonProblem(status === 401 ? "unauthorised" : "unreadable", reason, { status });
  }
  return new DaemonProblem(kindOf(code, status), detail, {
    code,
    status,
    currentHash: textAt(body, "current_hash"),
    quoted: textAt(body, "quoted"),
  });
}

/** Anything that was thrown, as a problem. */
export function problemOf(error: unknown): DaemonProblem {
  if (error instanceof DaemonProblem) {
    return error;
  }
  return new DaemonProblem("silent", `The daemon did not answer: ${error instanceof Error ? error.message : String(error)}.`);
}

/** The object that a JSON text is, or null. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function kindOf(code: string, status: number): ProblemKind {
  // A wrong Host or Origin has the same code as a wrong token, but no token helps.
  return status === 403 && code === "UNAUTHORISED" ? "forbidden" : (KINDS[code] ?? "other");
}

function textAt(body: Readonly<Record<string, unknown>> | null, field: string): string | null {
  const value = body?.[field];
  return typeof value === "string" ? value : null;
}
