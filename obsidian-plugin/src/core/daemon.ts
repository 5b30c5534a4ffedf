/** The daemon's routes as methods, with the types of the wire. Must not decide anything about answers. */

import type { Ask, Door } from "./door";
import { REQUEST_MS } from "./door";
import type {
  Corrected,
  Correction,
  EntityAnswer,
  EntityRoles,
  Events,
  FactHistory,
  FactList,
  FactQuery,
  FeedbackResult,
  Forgotten,
  IndexReport,
  IndexRequest,
  LikeRequest,
  PathExplanation,
  ProbeRequest,
  Rating,
  ReadResult,
  RelatedRequest,
  Remembered,
  RememberRequest,
  SearchRequest,
  SearchResponse,
  Status,
} from "./protocol";

const HOUR_MS = 3_600_000;

/** One proven daemon. Every method rejects with a DaemonProblem. */
export class Daemon {
  constructor(private readonly door: Door) {}

  /** Where it answers, without a path. */
  get url(): string {
    return this.door.address.url;
  }

  search(request: SearchRequest): Promise<SearchResponse> {
    return this.post("/v1/search", request, waiting(request.max_wait));
  }

  related(request: RelatedRequest): Promise<SearchResponse> {
    return this.post("/v1/related", request, waiting(request.max_wait));
  }

  /** Passages that state a name. */
  probe(request: ProbeRequest): Promise<EntityAnswer> {
    return this.post("/v1/entities/probe", request);
  }

  /** Passages of other notes that are built like the one at an address: they share its names. */
  like(request: LikeRequest): Promise<EntityAnswer> {
    return this.post("/v1/entities/like", request);
  }

  roles(entity: string): Promise<EntityRoles> {
    return this.get(`/v1/entities/roles?${query({ entity })}`);
  }

  /** Lines `start` to `end` of a note, to its last one where `end` is left out. */
  read(path: string, start = 1, end?: number): Promise<ReadResult> {
    return this.get(`/v1/notes/${quoted(path)}?${query({ start, end })}`);
  }

  /** Why a path is treated as it is: excluded, indexed, failed. */
  explain(path: string): Promise<PathExplanation> {
    return this.get(`/v1/explain/${quoted(path)}`);
  }

  status(): Promise<Status> {
    return this.get("/v1/status");
  }

  /** Brings the index up to date; lasts as long as that takes. */
  index(request: IndexRequest): Promise<IndexReport> {
    return this.post("/v1/index", request, HOUR_MS);
  }

  /** Changes numbered `since` or later; waits at most `wait` seconds for the first one. */
  events(since: number, wait: number): Promise<Events> {
    return this.get(`/v1/events?${query({ since, wait })}`, wait * 1000 + REQUEST_MS);
  }

  /** An address at which a browser enters the daemon's page once, within the next minute or so. */
  async page(): Promise<string> {
    const { path } = await this.post<{ readonly path: string }>("/v1/page", undefined);
    return this.url + path;
  }

  facts(wanted: FactQuery): Promise<FactList> {
    const { query: q, ...rest } = wanted;
    return this.get(`/v1/facts?${query({ q, ...rest })}`);
  }

  fact(id: string): Promise<FactHistory> {
    return this.get(`/v1/facts/${quoted(id)}`);
  }

  remember(request: RememberRequest): Promise<Remembered> {
    return this.post("/v1/facts", request);
  }

  /** Replaces the text of the fact that still has one of `hashes`. */
  correct(id: string, hashes: readonly string[], correction: Correction): Promise<Corrected> {
    return this.door.ask({ method: "PUT", target: `/v1/facts/${quoted(id)}`, body: correction, headers: ifMatch(hashes) });
  }

  forget(id: string, hashes: readonly string[]): Promise<Forgotten> {
    return this.door.ask({ method: "DELETE", target: `/v1/facts/${quoted(id)}`, headers: ifMatch(hashes) });
  }

  feedback(id: string, rating: Rating): Promise<FeedbackResult> {
    return this.post(`/v1/facts/${quoted(id)}/feedback`, rating);
  }

  private get<T>(target: string, timeoutMs: number = REQUEST_MS): Promise<T> {
    return this.door.ask<T>({ method: "GET", target, timeoutMs });
  }

  private post<T>(target: string, body: unknown, timeoutMs: number = REQUEST_MS): Promise<T> {
    const ask: Ask = { method: "POST", target, body, timeoutMs };
    return this.door.ask<T>(ask);
  }
}

type Parameters = Readonly<Record<string, string | number | boolean | null | undefined>>;

function query(parameters: Parameters): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null);
  return given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&");
}

function quoted(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

function ifMatch(hashes: readonly string[]): Record<string, string> {
  return { "If-Match": hashes.map((hash) => `"${hash}"`).join(", ") };
}

function waiting(seconds: number | null | undefined): number {
  return seconds === null ? HOUR_MS : (seconds ?? 3) * 1000 + REQUEST_MS;
}
