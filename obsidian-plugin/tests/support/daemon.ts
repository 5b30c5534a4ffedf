/** A daemon in memory: answers the handshake as the real one does, and whatever else a test says. */
import { createHmac } from "node:crypto";
import type { Request, WireRequest, WireResponse } from "../../src/core/ports";
import type { Hit, PathExplanation, SearchResponse, Status } from "../../src/core/protocol";

/** What a route answers: a value of the wire, a Refusal, or a promise of one. */
export type Route = (request: WireRequest, parameters: URLSearchParams) => unknown;

export class Refusal {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
  ) {}
}

export class FakeDaemon {
  readonly seen: WireRequest[] = [];
  readonly routes = new Map<string, Route>();
  token = "secret-token";
  bootId = "boot-1";
  protocol = 1;
  port = 4711;
  up = true;
  status: Status = STATUS;

  constructor() {
    this.routes.set("GET /v1/status", () => this.status);
    // A long poll without news: answers in the test's own time, which is never.
    this.routes.set("GET /v1/events", (_, parameters) =>
      parameters.get("wait") === "0" ? { next: 1, events: [] } : new Promise(() => undefined),
    );
  }

  readonly request: Request = async (request) => {
    const url = new URL(request.url);
    if (!this.up || Number(url.port) !== this.port) {
      throw new Error("net::ERR_CONNECTION_REFUSED");
    }
    this.seen.push(request);
    return await this.answer(request, url);
  };

  /** Requests but the handshake, as "GET /v1/status". */
  get asked(): readonly string[] {
    return this.seen.map(nameOf).filter((name) => !name.endsWith("/health"));
  }

  on(name: string, route: Route): void {
    this.routes.set(name, route);
  }

  private async answer(request: WireRequest, url: URL): Promise<WireResponse> {
    if (url.pathname === "/v1/health") {
      const proof = createHmac("sha256", this.token).update(url.searchParams.get("nonce") ?? "").digest("hex");
      const { protocol, bootId } = this;
      return json(200, { api: "v1", protocol, version: "9.9.9", vault: "Notes", boot_id: bootId, generation: 1, state: "ready", pid: 1, proof });
    }
    const route = this.routes.get(nameOf(request)) ?? this.routes.get(`${request.method} *`);
    if (request.headers["Authorization"] !== `Bearer ${this.token}`) {
      return problem(new Refusal(401, "UNAUTHORISED", "This request carries no valid token."));
    }
    const reply = route ? await route(request, url.searchParams) : new Refusal(404, "NOT_FOUND", `No route for ${nameOf(request)}.`);
    return reply instanceof Refusal ? problem(reply) : json(200, reply);
  }
}

export function nameOf(request: WireRequest): string {
  return `${request.method} ${new URL(request.url).pathname}`;
}

export function bodyOf(request: WireRequest): unknown {
  return JSON.parse(request.body ?? "null");
}

export const STATUS: Status = {
  vault: "/home/ada/Notes",
  state: "ready",
  files: 12,
  chunks: 30,
  windows: 60,
  embedded: 60,
  pending: 0,
  generation: 7,
  model: { provider: "bundled", name: "use", fingerprint: "f", dimension: 512, state: "ready" },
  memory_mb: 80,
  owner: "daemon",
  pid: 1,
  version: "9.9.9",
  watching: "native",
};

export const EXPLAINED: PathExplanation = {
  path: "a.md",
  indexed: true,
  excluded_by: null,
  tier: 1,
  tier_rule: "",
  project: null,
  project_rule: null,
  hash: null,
  chunks: [{ start_line: 3, end_line: 40, heading: [], tokens: 100, windows: 1, embedded: 1 }],
};

export function hit(path: string, more: Partial<Hit> = {}): Hit {
  return {
    path,
    title: path.replace(/\.md$/, ""),
    heading: ["Plan"],
    start_line: 42,
    end_line: 77,
    excerpt: `about ${path}`,
    matches: [],
    tags: [],
    score: 0.5,
    signals: { lexical: 0.5 },
    tier: 1,
    project: null,
    modified: "2026-05-24T00:00:00Z",
    chunk: `chunk of ${path}`,
    ...more,
  };
}

export function answer(results: readonly Hit[], more: Partial<SearchResponse> = {}): SearchResponse {
  return { query: "q", took_ms: 3, degraded: [], results, ...more };
}

function json(status: number, value: unknown): WireResponse {
  return { status, text: JSON.stringify(value) };
}

function problem({ status, code, detail }: Refusal): WireResponse {
  return json(status, { title: "No", status, detail, code });
}
