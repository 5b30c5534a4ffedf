// The core against the real daemon: what a fake could only repeat of our own beliefs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { anchor } from "../../src/core/anchor";
import type { Connection } from "../../src/core/connection";
import { NoteFacts } from "../../src/core/notefacts";
import { RelatedSession } from "../../src/core/related";
import { SearchSession } from "../../src/core/search/session";
import type { Settings } from "../../src/core/settings";
import { DEFAULTS } from "../../src/core/settings";
import { TestVault, timers, until } from "../support/vault";

const FACTS = "Memory/Facts/People.md";
const vault = new TestVault({
  "Projects/Ночной поезд.md": "---\ntags: [travel]\n---\n# Route\n\n## Поезд\n\nПоездом ночью в [[Атлас]], 🚂 the night train leaves at ten.\n",
  "Атлас.md": "# Atlas\n\nThe [[Атлас]] project stores maps of night trains.\n",
  "C# notes & 100%.md": "# Sharp\n\nA compiler remembers everything about generics.\n",
  "Private/diary.md": "# Diary\n\nNight trains: the project stores maps.\n",
  [FACTS]: "# People\n\n- Ada leads Atlas ^k3f9\n",
  "knowledge.toml": '[embedding]\nprovider = "none"\n\n[vault]\nexclude = ["Private/**"]\n',
});
const open: Connection[] = [];

beforeAll(async () => {
  await vault.serve();
});

afterEach(() => {
  open.splice(0).forEach((connection) => connection.stop());
});

afterAll(async () => {
  await vault.remove();
});

function settings(change: Partial<Settings> = {}): Settings {
  return { ...DEFAULTS, homeFolder: vault.home, ...change };
}

async function connected(): Promise<Connection> {
  const connection = vault.connection();
  open.push(connection);
  connection.watch(true);
  connection.start(settings());
  await until(connection.situation, ({ kind }) => kind === "ready");
  return connection;
}

test("the daemon is found by its run file, proves itself, and counts its notes", async () => {
  const connection = await connected();
  expect(connection.situation.value).toEqual({ kind: "ready", notes: 4, meaning: false });
});

test("a search marks code points, names lines that hold the passage, and every row opens where it says", async () => {
  const connection = await connected();
  const session = new SearchSession(connection, timers, { mode: "hybrid", limit: 30 });
  session.type("ночной поезд tag:travel");
  const { rows, situation, note } = await until(session.state, ({ phase }) => phase === "complete");
  session.close();
  expect(situation).toBeNull();
  expect(note).toBe("");
  expect(rows.map(({ path }) => path)).toEqual(["Projects/Ночной поезд.md"]);
  const [row] = rows;
  expect(row?.excerpt.filter(({ marked }) => marked).map(({ text }) => text.toLowerCase())).toContain("поездом");
  expect(row?.badge.label).toContain("words");
  const text = readFileSync(join(vault.root, row?.path ?? ""), "utf8");
  const words = row?.excerpt.map((mark) => mark.text).join("") ?? "";
  const at = { start: row?.start ?? 0, end: row?.end ?? 0, words, heading: row?.heading ?? [] };
  expect(anchor(text, at)).toEqual({ start: at.start, end: at.end, how: "same" });
  expect(anchor(`${"another line\n".repeat(30)}${text}`, at)).toMatchObject({ how: "moved" });
});

test("nothing found is an answer, and an excluded note is not in it", async () => {
  const connection = await connected();
  const session = new SearchSession(connection, timers, { mode: "lexical", limit: 30 });
  session.type("diary");
  const { rows, situation } = await until(session.state, ({ phase }) => phase === "complete");
  session.close();
  expect(rows).toEqual([]);
  expect(situation?.kind).toBe("no-results");
});

test("a note of any name is read, and one that is not there is told apart", async () => {
  const connection = await connected();
  const found = await connection.ask((daemon) => daemon.read("C# notes & 100%.md", 3, 3));
  expect(found.text.trim()).toBe("A compiler remembers everything about generics.");
  await expect(connection.ask((daemon) => daemon.read("no such.md"))).rejects.toMatchObject({ kind: "not-found" });
  await expect(connection.ask((daemon) => daemon.read("../secret.md"))).rejects.toMatchObject({ name: "DaemonProblem" });
});

test("an excluded note has relatives and says why it is excluded", async () => {
  const connection = await connected();
  const sources = {
    links: () => ({ to: [], from: [] }),
    section: () => Promise.resolve(null),
    text: (path: string) => Promise.resolve(readFileSync(join(vault.root, path), "utf8")),
  };
  const mutes = { of: () => [], set: () => undefined };
  const options = { minScore: 0, hideLinked: false, followCursor: false, limit: 10 };
  const session = new RelatedSession(connection, timers, sources, mutes, options);
  session.follow("Private/diary.md");
  const excluded = await until(session.state, ({ path, busy }) => path !== null && !busy);
  expect(excluded.situation).toMatchObject({ kind: "note-excluded" });
  expect(excluded.meaning.map(({ path }) => path)).toContain("Атлас.md");
  session.follow("Projects/Ночной поезд.md");
  const related = await until(session.state, ({ path, busy }) => path === "Projects/Ночной поезд.md" && !busy);
  session.close();
  expect(related.situation).toBeNull();
  expect(related.entities.map(({ path, why }) => [path, why])).toContainEqual(["Атлас.md", expect.stringMatching(/^shares .*Атлас/)]);
});

test("facts are listed, remembered, rated, corrected and forgotten, and a stale correction is refused", async () => {
  const connection = await connected();
  const facts = new NoteFacts(connection);
  facts.show(FACTS);
  const [ada] = (await until(facts.state, (state) => state.facts.length > 0)).facts;
  if (ada === undefined) {
    throw new Error("the note has a fact");
  }
  const rated = await facts.vote(ada, "helpful");
  expect(rated.fact.trust).toBeGreaterThan(rated.before);
  expect((await facts.correct(ada, "Ada leads\nAtlas and Orion")).text).toBe("Ada leads Atlas and Orion");
  await expect(facts.correct(ada, "Ada left")).rejects.toMatchObject({ kind: "stale" });
  const { fact, known } = await facts.remember({ text: "The compiler is in Oslo", category: "People" });
  expect(known).toBe(false);
  await facts.forget(fact);
  facts.close();
  expect(readFileSync(join(vault.root, FACTS), "utf8")).toMatch(/^# People\n\n- Ada leads Atlas and Orion .*\^k3f9\n$/);
});

test("a note that was saved outside is news, without anybody asking for it", async () => {
  const connection = await connected();
  const before = connection.status.value?.generation ?? Number.POSITIVE_INFINITY;
  const news = until(connection.changes, (change) => change !== null && change.generation > before);
  vault.write({ "new.md": "# New\n\nA zeppelin.\n" });
  await news;
  const found = await connection.ask((daemon) => daemon.search({ query: "zeppelin", mode: "lexical" }));
  expect(found.results.map(({ path }) => path)).toEqual(["new.md"]);
});

test("by address the token must be right, and the vault be the one that is meant", async () => {
  const { port, token } = vault.run();
  const remote = settings({ connect: "url", url: `http://127.0.0.1:${port}` });
  expect((await vault.connection("wrong").test(remote)).kind).toBe("unauthorised");
  expect((await vault.connection(token).test(remote)).kind).toBe("ready");
  expect((await vault.connection(token).test({ ...remote, vaultName: "Other" })).kind).toBe("wrong-vault");
  expect((await vault.connection(token).test({ ...remote, url: "http://127.0.0.1:9" })).kind).toBe("no-daemon");
});

test("a long-lived token outlives the daemon's start, and whoever holds it is locked out once it is removed", async () => {
  const { token } = JSON.parse(await vault.command("token", "add", "phone", "--json")) as { readonly token: string };
  const before = vault.run();
  const connection = vault.connection(token);
  open.push(connection);
  connection.watch(true);
  connection.start(settings({ connect: "url", url: `http://127.0.0.1:${before.port}` }));
  await until(connection.situation, ({ kind }) => kind === "ready");
  await vault.stop();
  await until(connection.situation, ({ kind }) => kind === "no-daemon");
  await vault.serve(before.port);
  await connection.retry();
  await until(connection.situation, ({ kind }) => kind === "ready");
  expect(vault.run().token).not.toBe(before.token);
  expect((await connection.ask((daemon) => daemon.status())).files).toBeGreaterThan(3);
  await vault.command("token", "remove", "phone");
  await expect(connection.ask((daemon) => daemon.status())).rejects.toMatchObject({ kind: "unauthorised" });
  expect(connection.situation.value.kind).toBe("unauthorised");
  expect((await vault.connection(token).test(settings({ connect: "url", url: `http://127.0.0.1:${before.port}` }))).kind).toBe("unauthorised");
}, 120_000);

test("a daemon that was started anew is found by itself, with its new port and its new token", async () => {
  const connection = await connected();
  const before = vault.run();
  await vault.stop();
  await until(connection.situation, ({ kind }) => kind === "no-daemon");
  await vault.serve();
  await until(connection.situation, ({ kind }) => kind === "ready");
  expect(vault.run().token).not.toBe(before.token);
  expect((await connection.ask((daemon) => daemon.status())).files).toBeGreaterThan(3);
});
