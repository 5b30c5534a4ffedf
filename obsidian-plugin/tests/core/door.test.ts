// Who gets the token: only whoever proves to have it, by the token of this start or by a long-lived one.
import { createHmac } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { Door } from "../../src/core/door";
import type { Request, WireRequest } from "../../src/core/ports";
import { Clock } from "../support/clock";
import { instantCrypto } from "../support/crypto";

const TOKEN = "hv_long-lived";
let seen: WireRequest[];
let health: (nonce: string) => Readonly<Record<string, unknown>>;

beforeEach(() => {
  seen = [];
});

const request: Request = (sent) => {
  seen.push(sent);
  const url = new URL(sent.url);
  const greeted = { api: "v1", protocol: 1, version: "9.9.9", vault: "Notes", boot_id: "boot-1", generation: 1, state: "ready", pid: 1 };
  const value = url.pathname === "/v1/health" ? { ...greeted, ...health(url.searchParams.get("nonce") ?? "") } : { asked: true };
  return Promise.resolve({ status: 200, text: JSON.stringify(value) });
};

function hmac(token: string, nonce: string): string {
  return createHmac("sha256", token).update(nonce).digest("hex");
}

function others(count: number, nonce: string): readonly string[] {
  return Array.from({ length: count }, (_, number) => hmac(`other ${number}`, nonce));
}

function door(bootId: string | null = null): Door {
  return new Door({ url: "http://notes.example:4711", token: TOKEN, bootId }, { request, timers: new Clock(), disk: null, crypto: instantCrypto });
}

function ask(one: Door): Promise<unknown> {
  return one.ask({ method: "GET", target: "/v1/status" });
}

test("a token opens by its own proof, wherever it stands among those of other devices", async () => {
  health = (nonce) => ({ proof: hmac("of this start", nonce), proofs: [...others(30, nonce), hmac(TOKEN, nonce), hmac("last", nonce)] });
  await expect(ask(door())).resolves.toEqual({ asked: true });
  const [greeting, asked] = seen;
  expect(greeting?.headers).not.toHaveProperty("Authorization");
  expect(asked?.headers["Authorization"]).toBe(`Bearer ${TOKEN}`);
});

test("a daemon of an older version, which proves the token of its start alone, opens as before", async () => {
  health = (nonce) => ({ proof: hmac(TOKEN, nonce) });
  await expect(ask(door())).resolves.toEqual({ asked: true });
});

test.each([
  ["proofs by other tokens", (nonce: string) => ({ proof: hmac("x", nonce), proofs: others(3, nonce) })],
  ["none", () => ({ proof: "", proofs: [] })],
  ["a proof of another nonce", () => ({ proof: hmac(TOKEN, "replayed"), proofs: [hmac(TOKEN, "replayed")] })],
  ["the nonce itself", (nonce: string) => ({ proof: nonce, proofs: [nonce] })],
  ["what is no list", (nonce: string) => ({ proof: 7, proofs: hmac(TOKEN, nonce) })],
  ["what is no text", (nonce: string) => ({ proofs: [null, 7, {}, [hmac(TOKEN, nonce)]] })],
  ["half a proof", (nonce: string) => ({ proofs: [hmac(TOKEN, nonce).slice(0, 32)] })],
  ["more of them than a daemon has", (nonce: string) => ({ proofs: [...others(100, nonce), hmac(TOKEN, nonce)] })],
])("whoever answers with %s never sees the token", async (_, answer) => {
  health = answer;
  await expect(ask(door())).rejects.toMatchObject({ kind: "unauthorised", message: expect.stringContaining("holovault token add") as string });
  expect(seen).toHaveLength(1);
  expect(JSON.stringify(seen)).not.toContain(TOKEN);
});

test("the token of a run file is that of this start: no other proof counts for it", async () => {
  health = (nonce) => ({ proof: hmac("x", nonce), proofs: [hmac(TOKEN, nonce)] });
  await expect(ask(door("boot-1"))).rejects.toMatchObject({ kind: "imposter" });
  health = (nonce) => ({ proof: hmac(TOKEN, nonce), proofs: [] });
  await expect(ask(door("boot-1"))).resolves.toEqual({ asked: true });
});
