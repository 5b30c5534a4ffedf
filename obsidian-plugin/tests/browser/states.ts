/** States of the daemon: how each comes about, what it is called and what a person can do. */
import type { Page } from "playwright-core";
import type { Desk } from "./desk";
import { hold } from "./hands";

type Body = Record<string, unknown>;
const of = (route: string, change: (body: Body) => Body) => (path: string, body: Body) => (path === route ? { ...body, ...change(body) } : body);

export interface State {
  readonly kind: string;
  readonly title: string;
  readonly next: string | null;
  readonly begin: (desk: Desk, page: Page) => void | Promise<void>;
}

export const STATES: readonly State[] = [
  { kind: "unauthorised", title: "The token is not right", next: "Open settings", begin: (_desk, page) => hold(page, "another") },
  { kind: "newer-daemon", title: "This plugin is too old", next: "Try again", begin: (desk) => void (desk.twist = of("/v1/health", () => ({ protocol: 2 }))) },
  { kind: "older-daemon", title: "The daemon is too old", next: "Try again", begin: (desk) => void (desk.twist = of("/v1/health", () => ({ protocol: 0 }))) },
  { kind: "wrong-vault", title: "Another vault answers", next: "Open settings", begin: (desk) => void (desk.twist = of("/v1/status", () => ({ vault: "/elsewhere/Recipes" }))) },
  { kind: "indexing", title: "Indexing 12 of 340 notes", next: null, begin: (desk) => void (desk.twist = of("/v1/status", () => ({ state: "indexing", done: 12, total: 340 }))) },
  {
    kind: "embedder-missing",
    title: "Words only",
    next: "Copy diagnostics",
    begin: (desk) => void (desk.twist = of("/v1/status", ({ model }) => ({ model: { ...(model as Body), state: "failed", reason: "its file is gone" } }))),
  },
];
