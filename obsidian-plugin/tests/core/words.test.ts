import { expect, test } from "vitest";
import { diagnostics } from "../../src/core/diagnostics";
import { problemFrom } from "../../src/core/problems";
import { DEFAULTS, readSettings, urlProblem, urlWarning } from "../../src/core/settings";
import type { Situation } from "../../src/core/situations";
import { tell } from "../../src/core/situations";
import { STATUS } from "../support/daemon";

const ALL: readonly Situation[] = [
  { kind: "looking" },
  { kind: "unconfigured", what: "url" },
  { kind: "unconfigured", what: "token" },
  { kind: "no-daemon", others: ["Work"], remote: false, detail: "" },
  { kind: "no-daemon", others: [], remote: true, detail: "net::ERR_CONNECTION_REFUSED" },
  { kind: "starting" },
  { kind: "busy", owner: "holovault index" },
  { kind: "older-daemon", version: "0.0.9" },
  { kind: "newer-daemon", version: "9.0.0" },
  { kind: "wrong-vault", found: "Work", wanted: "Notes" },
  { kind: "imposter", detail: "Another program answers at the daemon's port." },
  { kind: "unauthorised", detail: "It does not know the token." },
  { kind: "refused", detail: "This daemon does not answer to the Host of this request." },
  { kind: "vault-missing" },
  { kind: "indexing", done: 3, total: 1200 },
  { kind: "indexing", done: 0, total: 0 },
  { kind: "embedding", done: 10, total: 60, seconds: 300 },
  { kind: "embedder-missing", reason: "no key is set" },
  { kind: "some-failed", failed: 2, first: "x.md: not UTF-8" },
  { kind: "ready", notes: 12, meaning: true },
  { kind: "ready", notes: 1, meaning: false },
  { kind: "no-note" },
  { kind: "note-excluded", by: "[vault] exclude" },
  { kind: "note-not-indexed" },
  { kind: "note-failed", reason: "not UTF-8" },
  { kind: "no-query" },
  { kind: "no-results", suggestion: null },
  { kind: "no-results", suggestion: "train" },
  { kind: "no-related", hidden: 0 },
  { kind: "no-related", hidden: 2 },
  { kind: "no-facts" },
  { kind: "failed", detail: "It broke" },
];

test("no two states read alike", () => {
  const read = ALL.map((situation) => `${tell(situation).title}|${tell(situation).sentence}`);
  expect(new Set(read).size).toBe(ALL.length);
});

test.each(ALL.map((situation) => [JSON.stringify(situation), situation] as const))("%s has a title, whole sentences and a labelled step", (_, situation) => {
  const { title, sentence, step, label, tone } = tell(situation);
  expect(title).toMatch(/^[A-Z0-9].*[^.]$/);
  expect(sentence).toMatch(/^.+(?:[.?]|holovault up)$/);
  expect(sentence).not.toMatch(/undefined|null|NaN|\.\./);
  expect(label === "").toBe(step === "none");
  if (tone === "error" || tone === "warning") {
    expect(step).not.toBe("none");
  }
});

test("numbers and times are said as people say them", () => {
  expect(tell({ kind: "indexing", done: 3, total: 1200 }).title).toBe("Indexing 3 of 1,200 notes");
  expect(tell({ kind: "embedding", done: 1, total: 2, seconds: 300 }).sentence).toContain("in 5 min");
  expect(tell({ kind: "embedding", done: 1, total: 2, seconds: 9_000 }).sentence).toContain("in 3 h");
  expect(tell({ kind: "embedding", done: 1, total: 2, seconds: null }).sentence).toBe("Every note is found by its words. Meaning follows.");
});

test.each([[null], ["text"], [[]], [{ mode: "psychic", limit: "many", minScore: Number.NaN, connect: 7, unknown: true }]])("%j is read as whole settings", (stored) => {
  expect(readSettings(stored)).toEqual(DEFAULTS);
});

test("stored settings are kept, inside their limits", () => {
  const read = readSettings({ mode: "lexical", limit: 9_999, minScore: -1, hideLinked: true, url: " https://notes.example/ " });
  expect(read).toEqual({ ...DEFAULTS, mode: "lexical", limit: 200, minScore: 0, hideLinked: true, url: "https://notes.example" });
});

test.each(["", "notes.example", "ftp://notes.example", "https://ada:secret@notes.example", "https://notes.example/?a=b", "http://"])("%j is no address, and the reason is said", (url) => {
  expect(urlProblem(url)).toMatch(/\.$/);
});

test("an address without https is warned about unless it is this computer's", () => {
  expect(urlProblem("https://notes.example:8443/vault")).toBeNull();
  expect(urlWarning("https://notes.example")).toBeNull();
  expect(urlWarning("http://127.0.0.1:8765")).toBeNull();
  expect(urlWarning("http://notes.example")).toContain("https");
});

test("an answer that is no problem of ours is still a sentence", () => {
  expect(problemFrom(502, "<html>Bad gateway</html>")).toMatchObject({ kind: "unreadable", status: 502 });
  expect(problemFrom(401, "")).toMatchObject({ kind: "unauthorised" });
  const stale = problemFrom(412, JSON.stringify({ code: "STALE", detail: "It changed.", current_hash: "ab", quoted: "- old" }));
  expect(stale).toMatchObject({ kind: "stale", message: "It changed.", currentHash: "ab", quoted: "- old" });
  expect(problemFrom(403, JSON.stringify({ code: "UNAUTHORISED", detail: "Wrong Host." })).kind).toBe("forbidden");
  expect(problemFrom(418, JSON.stringify({ code: "TEAPOT", detail: "No." })).kind).toBe("other");
});

test("diagnostics hold what helps and nothing that is private", () => {
  const text = diagnostics({
    plugin: "0.1.0",
    obsidian: "1.12.0",
    platform: "Linux",
    settings: { ...DEFAULTS, url: "https://ada.example/secret-path", homeFolder: "/home/ada/hv", command: "holovault up --token x" },
    situation: { kind: "wrong-vault", found: "Diary", wanted: "Notes" },
    status: { ...STATUS, failures: [{ path: "Private/x.md", stage: "read", reason: "Private/x.md is not UTF-8", since: "" }] },
    hasToken: true,
  });
  expect(text).toContain("token set");
  expect(text).toContain("12 notes, 30 passages, 60 of 60 windows");
  expect(text).toContain("Failures: 1 (read)");
  expect(text).not.toMatch(/ada|secret|Private|Diary|--token|home\//);
});
