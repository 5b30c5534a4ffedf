import { beforeEach, expect, test } from "vitest";
import type { LikeRequest, SearchRequest } from "../../src/core/protocol";
import type { NoteLinks, RelatedOptions, Section } from "../../src/core/related";
import { RelatedSession } from "../../src/core/related";
import { Clock } from "../support/clock";
import { EXPLAINED, FakeDaemon, Refusal, answer, bodyOf, hit } from "../support/daemon";
import { FakeLink } from "../support/link";

const OPTIONS: RelatedOptions = { minScore: 0, hideLinked: false, followCursor: true, limit: 10 };
const LINKED = { path: "linked.md", title: "linked" };

let daemon: FakeDaemon;
let clock: Clock;
let link: FakeLink;
let muted: Map<string, readonly string[]>;
let links: NoteLinks;
let section: Section | null;

beforeEach(() => {
  daemon = new FakeDaemon();
  clock = new Clock();
  link = new FakeLink(daemon, clock);
  muted = new Map();
  links = { to: [LINKED], from: [{ path: "back.md", title: "back" }] };
  section = null;
  daemon.on("GET *", () => EXPLAINED);
  daemon.on("POST /v1/related", () => answer([hit("near.md", { score: 0.9 }), hit("linked.md", { score: 0.6 }), hit("far.md", { score: 0.1 })]));
  daemon.on("POST /v1/search", () => answer([hit("a.md"), hit("by words.md"), hit("by words.md", { chunk: "2" })]));
  daemon.on("POST /v1/entities/like", () => answer([hit("names.md", { via: ["Ada", "Atlas"] })]));
});

function session(options: Partial<RelatedOptions> = {}): RelatedSession {
  const sources = { links: () => links, section: () => Promise.resolve(section), text: () => Promise.resolve('the -text tag:x of "a note"') };
  const mutes = { of: (path: string) => muted.get(path) ?? [], set: (path: string, list: readonly string[]) => void muted.set(path, list) };
  return new RelatedSession(link, clock, sources, mutes, { ...OPTIONS, ...options });
}

function names(rows: readonly { readonly path: string }[]): readonly string[] {
  return rows.map(({ path }) => path);
}

async function following(path: string, options: Partial<RelatedOptions> = {}): Promise<RelatedSession> {
  const one = session(options);
  one.follow(path);
  await clock.pass(250);
  return one;
}

test("meaning, links and names are shown apart, and each row says why", async () => {
  const { meaning, links: linkRows, entities, situation } = (await following("a.md")).state.value;
  expect(names(meaning)).toEqual(["near.md", "linked.md", "far.md"]);
  expect(meaning.map(({ linked }) => linked)).toEqual(["", "linked from here", ""]);
  expect(linkRows.map(({ why }) => why)).toEqual(["linked from here", "links here"]);
  expect(entities.map(({ why }) => why)).toEqual(["shares Ada, Atlas"]);
  expect(situation).toBeNull();
});

test("a passage says which way its note is linked, in the words of the list of links", async () => {
  links = { to: [LINKED, { path: "near.md", title: "near" }], from: [{ path: "far.md", title: "far" }, LINKED] };
  const { meaning, links: linkRows } = (await following("a.md")).state.value;
  expect(meaning.map(({ linked }) => linked)).toEqual(["linked from here", "linked both ways", "links here"]);
  expect(new Set(linkRows.map(({ why }) => why))).toEqual(new Set(meaning.map(({ linked }) => linked)));
});

test("moving quickly through notes asks about the last one only, and rows stay until then", async () => {
  const one = await following("a.md");
  const before = daemon.asked.length;
  one.follow("b.md");
  await clock.pass(100);
  one.follow("c.md");
  expect(one.state.value.meaning).toHaveLength(3);
  await clock.pass(250);
  expect(one.state.value.path).toBe("c.md");
  expect(daemon.asked.slice(before).filter((name) => name.includes("explain"))).toEqual(["GET /v1/explain/c.md"]);
});

test("the cursor's section is what is asked about, as words, and the note itself is left out", async () => {
  section = { heading: "Storage", text: "why -PostgreSQL tag:db", start: 12 };
  const searches: SearchRequest[] = [];
  const likes: LikeRequest[] = [];
  daemon.on("POST /v1/search", (request) => {
    searches.push(bodyOf(request) as SearchRequest);
    return answer([hit("a.md"), hit("other.md")]);
  });
  daemon.on("POST /v1/entities/like", (request) => {
    likes.push(bodyOf(request) as LikeRequest);
    return answer([]);
  });
  const one = session();
  one.follow("a.md", 14);
  await clock.pass(250);
  expect(searches[0]?.query).toBe("Storage why PostgreSQL tag db");
  expect(likes[0]?.address).toBe("a.md:3");
  expect(names(one.state.value.meaning)).toEqual(["other.md"]);
  expect(one.state.value.about).toBe("Storage");
  one.follow("a.md", 15);
  await clock.pass(250);
  expect(searches).toHaveLength(1);
});

test("a section that nothing else is like shows what the note as a whole is related to", async () => {
  section = { heading: "Storage", text: "why PostgreSQL", start: 12 };
  daemon.on("POST /v1/search", () => answer([hit("a.md")]));
  const one = session();
  one.follow("a.md", 14);
  await clock.pass(250);
  expect(names(one.state.value.meaning)).toEqual(["near.md", "linked.md", "far.md"]);
});

test("least score, linked notes and mutes hide rows without another request, say how many, and give them back", async () => {
  const one = await following("a.md");
  const before = daemon.asked.length;
  one.configure({ ...OPTIONS, minScore: 0.2, hideLinked: true });
  expect(names(one.state.value.meaning)).toEqual(["near.md"]);
  one.mute("near.md");
  one.mute("names.md");
  expect(one.state.value).toMatchObject({ meaning: [], entities: [], hidden: 4 });
  expect(muted.get("a.md")).toEqual(["near.md", "names.md"]);
  links = { to: [], from: [] };
  one.configure({ ...OPTIONS, minScore: 1 });
  expect(one.state.value.situation).toEqual({ kind: "no-related", hidden: 4 });
  one.showHidden();
  expect(one.state.value.meaning).toHaveLength(3);
  one.unmuteAll();
  expect(muted.get("a.md")).toEqual([]);
  expect(daemon.asked.length).toBe(before);
});

test("a pinned list stays whatever note is active, and follows again when let go", async () => {
  const one = await following("a.md");
  one.pin(true);
  one.follow("b.md");
  await clock.pass(1_000);
  expect(one.state.value.path).toBe("a.md");
  one.pin(false);
  await clock.pass(0);
  expect(one.state.value.path).toBe("b.md");
});

test("an excluded note has relatives by its text and says that it is excluded", async () => {
  daemon.on("GET *", () => ({ ...EXPLAINED, indexed: false, excluded_by: "[vault] exclude Private/**" }));
  const queries: string[] = [];
  daemon.on("POST /v1/search", (request) => {
    queries.push((bodyOf(request) as SearchRequest).query);
    return answer([hit("other.md")]);
  });
  const one = await following("a.md");
  expect(queries).toEqual(["the text tag x of a note"]);
  expect(one.state.value).toMatchObject({ situation: { kind: "note-excluded", by: "[vault] exclude Private/**" } });
  expect(names(one.state.value.meaning)).toEqual(["other.md"]);
});

test.each([
  ["not indexed yet", { indexed: false }, { kind: "note-not-indexed" }],
  ["failed", { indexed: false, failures: [{ path: "a.md", stage: "read", reason: "not UTF-8", since: "" }] }, { kind: "note-failed", reason: "not UTF-8" }],
])("a note that is %s says so", async (_, change, situation) => {
  daemon.on("GET *", () => ({ ...EXPLAINED, ...change }));
  expect((await following("a.md")).state.value.situation).toEqual(situation);
});

test("a selection is asked about until another note is followed", async () => {
  const one = await following("a.md");
  one.select("a sentence");
  await clock.pass(0);
  expect(one.state.value.about).toBe("selection");
  expect(names(one.state.value.meaning)).toEqual(["by words.md"]);
  one.follow("a.md", 3);
  await clock.pass(250);
  expect(one.state.value.about).toBe("selection");
  one.follow("b.md");
  await clock.pass(250);
  expect(one.state.value).toMatchObject({ path: "b.md", about: "" });
});

test("a pinned selection is still about its own note after another is active and the index changed, and gives way to its whole note", async () => {
  const one = await following("a.md");
  one.select("a sentence");
  await clock.pass(0);
  one.pin(true);
  one.follow("b.md");
  one.refresh();
  await clock.pass(0);
  expect(one.state.value).toMatchObject({ path: "a.md", about: "selection" });
  one.select(null);
  await clock.pass(0);
  expect(one.state.value).toMatchObject({ path: "a.md", about: "" });
  one.pin(false);
  await clock.pass(0);
  expect(one.state.value).toMatchObject({ path: "b.md", about: "" });
});

test("rows about this note stay when the daemon goes; rows about another one do not", async () => {
  const one = await following("a.md");
  daemon.on("POST /v1/related", () => new Refusal(503, "BUSY", "Another process owns the index."));
  one.refresh();
  await clock.pass(0);
  expect(one.state.value.meaning).toHaveLength(3);
  expect(one.state.value.situation).toEqual({ kind: "failed", detail: "Another process owns the index." });
  one.follow("b.md");
  await clock.pass(250);
  expect(one.state.value).toMatchObject({ path: "b.md", meaning: [] });
  expect(one.state.value.links).toHaveLength(2);
});

test("an answer that comes after the list was closed changes nothing", async () => {
  let late: (value: unknown) => void = () => undefined;
  daemon.on("POST /v1/related", () => new Promise((resolve) => (late = resolve)));
  const one = await following("a.md");
  one.close();
  late(answer([hit("near.md")]));
  await clock.pass(0);
  expect(one.state.value.meaning).toEqual([]);
});

test("without a note there is nothing to ask", async () => {
  const one = session();
  one.follow(null);
  await clock.pass(250);
  expect(one.state.value.situation).toEqual({ kind: "no-note" });
  expect(daemon.asked).toEqual([]);
});
