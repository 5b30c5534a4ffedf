import { beforeEach, expect, test } from "vitest";
import type { SearchRequest, SearchResponse } from "../../src/core/protocol";
import { SearchSession } from "../../src/core/search/session";
import { joined } from "../../src/core/search/joining";
import { Clock, settled } from "../support/clock";
import { FakeDaemon, Refusal, answer, bodyOf, hit } from "../support/daemon";
import { FakeLink } from "../support/link";

let daemon: FakeDaemon;
let clock: Clock;
let link: FakeLink;
let asked: SearchRequest[];
let respond: (request: SearchRequest) => SearchResponse | Refusal | Promise<SearchResponse>;

const WORDS = [hit("words.md"), hit("both.md")];
const MEANING = [hit("meaning.md"), hit("both.md"), hit("words.md")];
const WARMING = { degraded: [{ lane: "semantic", code: "warming", reason: "the model is still loading" }] } as const;

beforeEach(() => {
  daemon = new FakeDaemon();
  clock = new Clock();
  link = new FakeLink(daemon, clock);
  asked = [];
  respond = ({ mode }) => answer(mode === "lexical" ? WORDS : MEANING);
  daemon.on("POST /v1/search", (request) => {
    const body = bodyOf(request) as SearchRequest;
    asked.push(body);
    return respond(body);
  });
});

function session(mode: "hybrid" | "lexical" | "semantic" = "hybrid"): SearchSession {
  return new SearchSession(link, clock, { mode, limit: 30 });
}

function paths(one: SearchSession): readonly string[] {
  return one.state.value.rows.map(({ path }) => path);
}

test("words are shown at once and meaning joins after a pause in typing", async () => {
  const one = session();
  one.type("night train");
  await clock.pass(60);
  expect(paths(one)).toEqual(["words.md", "both.md"]);
  expect(one.state.value.phase).toBe("meaning");
  await clock.pass(180);
  expect(paths(one)).toEqual(["meaning.md", "both.md", "words.md"]);
  expect(one.state.value).toMatchObject({ phase: "complete", announce: "3 results", situation: null });
  expect(asked.map(({ mode }) => mode)).toEqual(["lexical", "hybrid"]);
});

test("the row that is pointed at and those above it stay when meaning joins", async () => {
  const one = session();
  one.type("night train");
  await clock.pass(60);
  one.hold(one.state.value.rows[0]?.key ?? "");
  await clock.pass(180);
  expect(paths(one)).toEqual(["words.md", "meaning.md", "both.md"]);
});

test("joining keeps what is held, never repeats a row and never loses a new one", () => {
  const rows = (names: string) => Array.from(names, (key) => ({ key }));
  const text = (list: readonly { key: string }[]) => list.map(({ key }) => key).join("");
  expect(text(joined(rows("abc"), rows("xcb"), "b"))).toBe("abxc");
  expect(text(joined(rows("abc"), rows("xcb"), null))).toBe("xcb");
  expect(text(joined(rows("abc"), rows("xcb"), "gone"))).toBe("xcb");
  expect(text(joined([], rows("x"), "a"))).toBe("x");
});

test("letters typed quickly are one question, and only the last one's answer is shown", async () => {
  const late: ((response: SearchResponse) => void)[] = [];
  respond = () => new Promise((resolve) => late.push(resolve));
  const one = session("lexical");
  for (const query of ["n", "ni", "night"]) {
    one.type(query);
    await clock.pass(20);
  }
  await clock.pass(60);
  one.type("night train");
  await clock.pass(60);
  expect(asked.map(({ query }) => query)).toEqual(["night"]);
  late[0]?.(answer([hit("stale.md")]));
  await settled();
  expect(paths(one)).toEqual([]);
  expect(asked.map(({ query }) => query)).toEqual(["night", "night train"]);
  late[1]?.(answer([hit("fresh.md")]));
  await settled();
  expect(paths(one)).toEqual(["fresh.md"]);
});

test("a model that is slow to answer keeps nobody waiting for the words of the next letter", async () => {
  respond = ({ mode }) => (mode === "lexical" ? answer(WORDS) : new Promise(() => undefined));
  const one = session();
  one.type("night");
  await clock.pass(240);
  expect(asked.at(-1)?.mode).toBe("hybrid");
  one.type("night train");
  await clock.pass(60);
  expect(asked.at(-1)).toMatchObject({ query: "night train", mode: "lexical" });
  expect(paths(one)).toEqual(["words.md", "both.md"]);
});

test("while the model is loading it is asked for again until meaning is there", async () => {
  let warm = false;
  respond = ({ mode }) => (mode === "lexical" || !warm ? answer(WORDS, mode === "lexical" ? {} : WARMING) : answer(MEANING));
  const one = session();
  one.type("night");
  await clock.pass(240);
  expect(one.state.value).toMatchObject({ phase: "meaning", note: "the model is still loading" });
  warm = true;
  await clock.pass(1_500);
  expect(one.state.value).toMatchObject({ phase: "complete", note: "" });
  expect(paths(one)[0]).toBe("meaning.md");
});

test("nothing is called not found before meaning has had its say", async () => {
  respond = () => answer([], { suggestion: "train" });
  const one = session();
  one.type("trian");
  await clock.pass(60);
  expect(one.state.value.situation).toBeNull();
  await clock.pass(180);
  expect(one.state.value).toMatchObject({ situation: { kind: "no-results", suggestion: "train" }, announce: "Nothing found" });
});

test("the last good rows stay when the daemon goes, and the search is put again when it is back", async () => {
  const one = session("lexical");
  one.type("night");
  await clock.pass(60);
  daemon.up = false;
  link.situation.set({ kind: "no-daemon", others: [], remote: false, detail: "" });
  one.type("night train");
  await clock.pass(60);
  expect(one.state.value).toMatchObject({ phase: "failed", situation: { kind: "no-daemon" } });
  expect(paths(one)).toEqual(["words.md", "both.md"]);
  daemon.up = true;
  link.situation.set({ kind: "ready", notes: 1, meaning: true });
  await clock.pass(60);
  expect(one.state.value).toMatchObject({ phase: "complete", situation: null });
});

test("a question that the daemon refuses shows its sentence", async () => {
  respond = () => new Refusal(400, "USAGE", "limit must be between 1 and 200, not 0.");
  const one = session("lexical");
  one.type("x");
  await clock.pass(60);
  expect(one.state.value.situation).toEqual({ kind: "failed", detail: "limit must be between 1 and 200, not 0." });
});

test("meaning alone is asked for once, and a change of mode asks anew", async () => {
  const one = session("semantic");
  one.type("night");
  await clock.pass(60);
  expect(asked.map(({ mode }) => mode)).toEqual(["semantic"]);
  one.setMode("lexical");
  await clock.pass(0);
  expect(asked.map(({ mode }) => mode)).toEqual(["semantic", "lexical"]);
});

test("more rows are asked for while there are more, below those that are shown", async () => {
  respond = ({ limit }) => answer(Array.from({ length: Math.min(limit ?? 0, 70) }, (_, index) => hit(`${index}.md`)));
  const one = session("lexical");
  one.type("night");
  await clock.pass(60);
  expect(one.state.value.more).toBe(true);
  one.more();
  await clock.pass(0);
  expect(paths(one)).toHaveLength(70);
  expect(one.state.value.more).toBe(false);
});

test("a changed index is asked again without a reset of the list, and an empty field asks nothing", async () => {
  const one = session("lexical");
  one.type("night");
  await clock.pass(60);
  respond = () => answer([hit("new.md"), ...WORDS]);
  link.changes.set({ generation: 8, paths: [] });
  await settled();
  expect(paths(one)).toEqual(["new.md", "words.md", "both.md"]);
  one.type("  ");
  link.changes.set({ generation: 9, paths: [] });
  await clock.pass(5_000);
  expect(one.state.value).toMatchObject({ rows: [], situation: { kind: "no-query" } });
  expect(asked).toHaveLength(2);
});

test("after it is closed nothing is asked and nothing changes", async () => {
  const one = session();
  one.type("night");
  one.close();
  await clock.pass(5_000);
  expect(asked).toEqual([]);
});
