import { beforeEach, expect, test } from "vitest";
import { Connection } from "../../src/core/connection";
import type { Disk } from "../../src/core/ports";
import type { Settings } from "../../src/core/settings";
import { DEFAULTS } from "../../src/core/settings";
import { Clock, settled } from "../support/clock";
import { instantCrypto } from "../support/crypto";
import { FakeDaemon, Refusal, STATUS } from "../support/daemon";

const VAULT = { name: "Notes", path: "/home/ada/Notes" };
const REMOTE: Settings = { ...DEFAULTS, connect: "url", url: "http://notes.example:4711" };

let daemon: FakeDaemon;
let clock: Clock;
let files: Map<string, string>;
let token: string | null;
let looks = 0;

beforeEach(() => {
  daemon = new FakeDaemon();
  clock = new Clock();
  files = new Map();
  token = "secret-token";
  publish();
});

function publish(change: Readonly<Record<string, unknown>> = {}, key = "abc"): void {
  const run = {
    key,
    port: daemon.port,
    pid: 1,
    version: "9.9.9",
    protocol: 1,
    boot_id: daemon.bootId,
    vault: "/home/ada/Notes",
    device: 1,
    inode: 2,
    owner: "daemon",
    since: "2026-01-01T00:00:00+00:00",
    token: daemon.token,
  };
  files.set(`/home/ada/.holovault/run/${key}.json`, JSON.stringify({ ...run, ...change }));
}

const disk: Disk = {
  home: () => "/home/ada",
  join: (...parts) => parts.join("/"),
  list: (folder) => {
    looks += 1;
    return Promise.resolve([...files.keys()].filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1)));
  },
  read: (path) => Promise.resolve(files.get(path) ?? null),
  identify: (path) => Promise.resolve({ real: path, device: "1", inode: "2" }),
  alive: (pid) => pid === 1,
};

function connected(): Connection {
  return new Connection({ request: daemon.request, timers: clock, disk, crypto: instantCrypto }, { vault: VAULT, token: () => token });
}

async function started(settings: Settings = DEFAULTS): Promise<Connection> {
  const connection = connected();
  connection.watch(true);
  connection.start(settings);
  await settled();
  return connection;
}

test("nothing is sent before the connection is started", async () => {
  connected().watch(true);
  await clock.pass(60_000);
  expect(daemon.seen).toEqual([]);
});

test("the daemon of the run file is found, proven before it gets the token, and says how it is", async () => {
  const connection = await started();
  expect(connection.situation.value).toEqual({ kind: "ready", notes: 12, meaning: true });
  const [first, second] = daemon.seen;
  expect(first?.url).toContain("/v1/health?nonce=");
  expect(first?.headers).not.toHaveProperty("Authorization");
  expect(second?.headers["Authorization"]).toBe("Bearer secret-token");
});

test("whoever cannot prove the token at the port of a dead daemon never sees it", async () => {
  daemon.token = "the token of another program";
  const connection = await started();
  expect(connection.situation.value.kind).toBe("no-daemon");
  expect(daemon.asked).toEqual([]);
  expect(JSON.stringify(daemon.seen)).not.toContain("secret-token");
});

test("a run file of a dead process costs nothing where a live one has the same vault", async () => {
  publish({ port: 1, since: "2026-02-01T00:00:00+00:00" }, "dead");
  expect((await started()).situation.value.kind).toBe("ready");
});

test("a dead daemon is looked for after 2, 5, 10 and then every 30 seconds", async () => {
  daemon.up = false;
  const connection = await started();
  expect(connection.situation.value).toMatchObject({ kind: "no-daemon", remote: false });
  for (const pause of [2_000, 5_000, 10_000, 30_000, 30_000]) {
    expect(clock.waits).toEqual([pause]);
    await clock.pass(pause);
  }
});

test("while nothing can be seen nobody looks for a lost daemon and no poll is begun; a glance begins both at once", async () => {
  daemon.up = false;
  const connection = await started();
  connection.watch(false);
  expect(clock.waits).toEqual([]);
  daemon.up = true;
  connection.watch(true);
  await settled();
  expect(connection.situation.value.kind).toBe("ready");
  connection.watch(false);
  const before = daemon.asked.length;
  await clock.pass(120_000);
  expect(daemon.asked.length).toBe(before);
});

test.each([
  [{ port: null }, "starting"],
  [{ port: null, owner: "holovault index" }, "busy"],
  [{ port: null, pid: 99 }, "no-daemon"],
  [{ vault: "/home/ada/Other", inode: 3 }, "no-daemon"],
])("a run file with %j means %s", async (change, kind) => {
  publish(change);
  expect((await started()).situation.value.kind).toBe(kind);
});

test("without a daemon for this vault the vaults that have one are named", async () => {
  publish({ vault: "/home/ada/Other", inode: 3 });
  expect((await started()).situation.value).toMatchObject({ kind: "no-daemon", others: ["Other"] });
});

test.each([
  [2, "newer-daemon"],
  [0, "older-daemon"],
])("protocol %i is a %s", async (protocol, kind) => {
  daemon.protocol = protocol;
  expect((await started()).situation.value).toEqual({ kind, version: "9.9.9" });
});

test.each([
  ["ready", {}, "ready"],
  ["notes being read", { state: "indexing", done: 3, total: 9 }, "indexing"],
  ["meaning to come", { pending: 6 }, "embedding"],
  ["a model that does not start", { model: { ...STATUS.model, state: "failed", reason: "no such model" } }, "embedder-missing"],
  ["a note that failed", { failures: [{ path: "x.md", stage: "read", reason: "not UTF-8", since: "" }] }, "some-failed"],
  ["a drive that is away", { state: "vault-missing" }, "vault-missing"],
  ["no model by choice", { pending: 6, model: { ...STATUS.model, provider: "none", state: "none" } }, "ready"],
])("a daemon with %s is told apart", async (_, change, kind) => {
  daemon.status = { ...STATUS, ...change };
  expect((await started()).situation.value.kind).toBe(kind);
});

test("an address needs a token, a right one, and a vault of this name", async () => {
  token = null;
  expect((await started({ ...REMOTE, url: "" })).situation.value).toEqual({ kind: "unconfigured", what: "url" });
  expect((await started(REMOTE)).situation.value).toEqual({ kind: "unconfigured", what: "token" });
  token = "wrong";
  expect((await started(REMOTE)).situation.value.kind).toBe("unauthorised");
  expect(JSON.stringify(daemon.seen)).not.toContain("wrong");
  token = daemon.token;
  daemon.status = { ...STATUS, vault: "C:\\Users\\ada\\Work" };
  expect((await started(REMOTE)).situation.value).toEqual({ kind: "wrong-vault", found: "Work", wanted: "Notes" });
  expect((await started({ ...REMOTE, vaultName: "work" })).situation.value.kind).toBe("ready");
  daemon.up = false;
  expect((await started(REMOTE)).situation.value).toMatchObject({ kind: "no-daemon", remote: true });
});

test("a daemon that was started anew is found again inside one question", async () => {
  const connection = await started();
  daemon.bootId = "boot-2";
  daemon.token = "next-token";
  publish();
  await clock.pass(5_000);
  const status = await connection.ask((one) => one.status());
  expect(status.files).toBe(12);
});

test("a write is not sent twice where nobody knows whether it arrived", async () => {
  const connection = await started();
  let votes = 0;
  daemon.on("POST /v1/facts/k3f9/feedback", () => {
    votes += 1;
    throw new Error("net::ERR_CONNECTION_RESET");
  });
  await expect(connection.ask((one) => one.feedback("k3f9", { vote: "helpful" }), false)).rejects.toMatchObject({ kind: "silent" });
  expect(votes).toBe(1);
});

test("typing at a dead daemon asks for it once in two seconds at most", async () => {
  daemon.up = false;
  const connection = await started();
  const before = looks;
  for (let key = 0; key < 20; key += 1) {
    await expect(connection.ask((one) => one.status())).rejects.toMatchObject({ name: "DaemonProblem" });
  }
  expect(looks).toBe(before);
  daemon.up = true;
  connection.watch(false);
  await clock.pass(2_000);
  expect((await connection.ask((one) => one.status())).files).toBe(12);
});

test("a problem is the daemon's own sentence with its kind", async () => {
  const connection = await started();
  daemon.on("GET /v1/notes/a%20b.md", () => new Refusal(404, "NOT_FOUND", "There is no note a b.md."));
  await expect(connection.ask((one) => one.read("a b.md"))).rejects.toMatchObject({ kind: "not-found", message: "There is no note a b.md." });
  expect(connection.situation.value.kind).toBe("ready");
});

test("an answer that takes too long is dropped and said", async () => {
  const connection = await started();
  daemon.on("GET /v1/facts/x", () => new Promise(() => undefined));
  const asked = connection.ask((one) => one.fact("x"));
  const outcome = expect(asked).rejects.toMatchObject({ kind: "timeout" });
  await clock.pass(60_000);
  await outcome;
});

test("news of the index arrive by the long poll, as one change", async () => {
  const connection = await started();
  let tell: (news: unknown) => void = () => undefined;
  daemon.on("GET /v1/events", () => new Promise((resolve) => (tell = resolve)));
  await clock.pass(400);
  const heard: unknown[] = [];
  connection.changes.subscribe((change) => heard.push(change));
  daemon.status = { ...STATUS, files: 13 };
  tell({
    next: 3,
    events: [
      { number: 1, kind: "index", generation: 8, paths: ["a.md"] },
      { number: 2, kind: "index", generation: 9, paths: ["a.md", "b.md"] },
    ],
  });
  await settled();
  expect(heard).toEqual([{ generation: 9, paths: ["a.md", "b.md"] }]);
  expect(connection.status.value?.files).toBe(13);
});

test("a daemon that works is asked every two seconds how far it is, a calm one waits until it has news", async () => {
  const waits: (string | null)[] = [];
  daemon.on("GET /v1/events", (_, parameters) => {
    waits.push(parameters.get("wait"));
    return { next: 1, events: [] };
  });
  daemon.status = { ...STATUS, state: "indexing", done: 1, total: 9 };
  const connection = await started();
  await clock.pass(400);
  daemon.status = STATUS;
  await clock.pass(400);
  expect(connection.situation.value.kind).toBe("ready");
  await clock.pass(400);
  expect(waits).toEqual(["0", "2", "2", "25"]);
});

test("after the sidecar was started it is looked for every second, for a minute, and nothing else is said meanwhile", async () => {
  daemon.up = false;
  const connection = await started();
  connection.starting();
  await settled();
  for (let second = 0; second < 5; second += 1) {
    expect(connection.situation.value.kind).toBe("starting");
    expect(clock.waits).toEqual([1_000]);
    await clock.pass(1_000);
  }
  daemon.up = true;
  await clock.pass(1_000);
  expect(connection.situation.value.kind).toBe("ready");
});

test("a start that comes to nothing is no start any more", async () => {
  daemon.up = false;
  const connection = await started();
  connection.starting();
  await clock.pass(62_000);
  expect(connection.situation.value.kind).toBe("no-daemon");
});

test("answers to older settings are dropped", async () => {
  const connection = connected();
  let late: (status: unknown) => void = () => undefined;
  daemon.on("GET /v1/status", () => new Promise((resolve) => (late = resolve)));
  connection.start(DEFAULTS);
  await settled();
  connection.start({ ...REMOTE, url: "" });
  await settled();
  late(STATUS);
  await settled();
  expect(connection.situation.value).toEqual({ kind: "unconfigured", what: "url" });
  connection.stop();
  await settled();
});

test.each([
  ["an answer", { ...STATUS, files: 999 }],
  ["a failure", new Refusal(500, "INDEX_UNREADABLE", "The index cannot be read.")],
])("%s that comes late says nothing about the daemon that was found since", async (_, reply) => {
  const connection = await started();
  let late: (reply: unknown) => void = () => undefined;
  daemon.on("GET /v1/status", () => new Promise((resolve) => (late = resolve)));
  const refreshed = connection.refresh();
  await settled();
  const tell = late;
  daemon.on("GET /v1/status", () => daemon.status);
  connection.start(DEFAULTS);
  await settled();
  tell(reply);
  await refreshed;
  expect(connection.situation.value).toEqual({ kind: "ready", notes: 12, meaning: true });
  expect(connection.status.value).toEqual(STATUS);
});

test("a question that fails after the settings changed is not put to the daemon that was found since", async () => {
  const connection = await started();
  let fail: (error: Error) => void = () => undefined;
  daemon.on("GET /v1/facts", () => new Promise((_, reject) => (fail = reject)));
  const asked = connection.ask((one) => one.facts({ limit: 1 })).catch((error: unknown) => error);
  await settled();
  connection.start(DEFAULTS);
  await settled();
  const before = daemon.asked.length;
  fail(new Error("net::ERR_CONNECTION_RESET"));
  expect(await asked).toMatchObject({ kind: "silent" });
  expect(daemon.asked.length).toBe(before);
});

test("testing the connection says the cause and changes nothing", async () => {
  const connection = await started();
  token = "wrong";
  expect((await connection.test(REMOTE)).title).toBe("The token is not right");
  expect(connection.situation.value.kind).toBe("ready");
});
