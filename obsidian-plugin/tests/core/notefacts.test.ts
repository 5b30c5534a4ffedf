import { beforeEach, expect, test } from "vitest";
import { NoteFacts } from "../../src/core/notefacts";
import type { Fact } from "../../src/core/protocol";
import { Clock, settled } from "../support/clock";
import { FakeDaemon, Refusal, bodyOf } from "../support/daemon";
import { FakeLink } from "../support/link";

const FACT: Fact = {
  id: "k3f9",
  text: "Ada leads Atlas",
  category: "People",
  tags: [],
  entities: [],
  trust: 0.5,
  own_trust: 0.5,
  helpful: 0,
  unhelpful: 0,
  created: null,
  path: "Memory/Facts/People.md",
  start_line: 3,
  end_line: 3,
  hash: "aa",
  item: "bb",
};

let daemon: FakeDaemon;
let link: FakeLink;
let facts: NoteFacts;

beforeEach(() => {
  daemon = new FakeDaemon();
  link = new FakeLink(daemon, new Clock());
  facts = new NoteFacts(link);
  daemon.on("GET /v1/facts", (_, parameters) => ({ total: 1, facts: parameters.get("path") === FACT.path ? [FACT] : [] }));
});

test("the facts of the note that is shown are listed, and a note without any says so", async () => {
  facts.show(FACT.path);
  await settled();
  expect(facts.state.value).toEqual({ path: FACT.path, facts: [FACT], situation: null });
  facts.show("plain & simple.md");
  await settled();
  expect(facts.state.value).toMatchObject({ facts: [], situation: { kind: "no-facts" } });
  facts.show(null);
  expect(facts.state.value.situation).toEqual({ kind: "no-note" });
});

test("what is remembered is one line, and the list is asked for anew", async () => {
  facts.show(FACT.path);
  await settled();
  const bodies: unknown[] = [];
  daemon.on("POST /v1/facts", (request) => {
    bodies.push(bodyOf(request));
    return { fact: FACT, known: false };
  });
  await facts.remember({ text: " Ada leads\n  Atlas ", tags: ["work"] });
  await settled();
  expect(bodies).toEqual([{ text: "Ada leads Atlas", tags: ["work"] }]);
  expect(daemon.asked).toEqual(["GET /v1/facts", "POST /v1/facts", "GET /v1/facts"]);
});

test("corrections and removals name the line that was read, so that nothing newer is lost", async () => {
  const changed = new Refusal(412, "STALE", "The fact is another one by now.");
  daemon.on("PUT /v1/facts/k3f9", () => changed);
  daemon.on("DELETE /v1/facts/k3f9", () => changed);
  await expect(facts.correct(FACT, "Ada left")).rejects.toMatchObject({ kind: "stale" });
  await expect(facts.forget(FACT)).rejects.toMatchObject({ kind: "stale" });
  expect(daemon.seen.flatMap(({ headers }) => headers["If-Match"] ?? [])).toEqual(['"bb"', '"bb"']);
});

test("feedback is sent once and a failure keeps the list", async () => {
  facts.show(FACT.path);
  await settled();
  daemon.on("POST /v1/facts/k3f9/feedback", (request) => ({ fact: FACT, before: 0.5, vote: bodyOf(request) }));
  daemon.on("GET /v1/facts", () => new Refusal(503, "BUSY", "Another process owns the index."));
  await facts.vote(FACT, "helpful");
  await settled();
  expect(facts.state.value).toMatchObject({ facts: [FACT], situation: { kind: "failed", detail: "Another process owns the index." } });
});
