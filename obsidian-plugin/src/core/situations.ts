/** Every state that a person can meet, with its sentence and its next step. Must not find out which one it is. */

import type { Status } from "./protocol";

export type Situation =
  | { readonly kind: "looking" }
  | { readonly kind: "unconfigured"; readonly what: "url" | "token" }
  | { readonly kind: "no-daemon"; readonly others: readonly string[]; readonly remote: boolean; readonly detail: string }
  | { readonly kind: "starting" }
  | { readonly kind: "busy"; readonly owner: string }
  | { readonly kind: "older-daemon"; readonly version: string }
  | { readonly kind: "newer-daemon"; readonly version: string }
  | { readonly kind: "wrong-vault"; readonly found: string; readonly wanted: string }
  | { readonly kind: "imposter"; readonly detail: string }
  | { readonly kind: "unauthorised"; readonly detail: string }
  | { readonly kind: "refused"; readonly detail: string }
  | { readonly kind: "vault-missing" }
  | { readonly kind: "indexing"; readonly done: number; readonly total: number }
  | { readonly kind: "embedding"; readonly done: number; readonly total: number; readonly seconds: number | null }
  | { readonly kind: "embedder-missing"; readonly reason: string }
  | { readonly kind: "some-failed"; readonly failed: number; readonly first: string }
  | { readonly kind: "ready"; readonly notes: number; readonly meaning: boolean }
  | { readonly kind: "no-note" }
  | { readonly kind: "note-excluded"; readonly by: string }
  | { readonly kind: "note-not-indexed" }
  | { readonly kind: "note-failed"; readonly reason: string }
  | { readonly kind: "no-query" }
  | { readonly kind: "no-results"; readonly suggestion: string | null }
  | { readonly kind: "no-related"; readonly hidden: number }
  | { readonly kind: "no-facts" }
  | { readonly kind: "failed"; readonly detail: string };

/** What a person can do about it; `none` where waiting or nothing is right. */
export type Step = "start" | "retry" | "settings" | "index" | "retry-failed" | "diagnostics" | "show-hidden" | "none";

export interface Told {
  readonly kind: Situation["kind"];
  readonly title: string;
  readonly sentence: string;
  readonly step: Step;
  /** What the step's button says; "" without a step. */
  readonly label: string;
  readonly tone: "calm" | "busy" | "warning" | "error";
  /** Name of a Lucide icon. */
  readonly icon: string;
}

type Words = readonly [title: string, sentence: string, step?: Step];
type Teller<Kind extends Situation["kind"]> = (situation: Extract<Situation, { kind: Kind }>) => Words;

const TELL: { readonly [Kind in Situation["kind"]]: Teller<Kind> } = {
  looking: () => ["Looking for the daemon", "Holovault looks for the program that answers for this vault."],
  unconfigured: ({ what }) =>
    what === "url"
      ? ["No address yet", "Enter the daemon's address in the settings: this device cannot look for it by itself.", "settings"]
      : ["No token yet", "Make one on the daemon's machine with: holovault token add NAME. Enter it in the settings; it is kept in Obsidian's secret storage.", "settings"],
  "no-daemon": (situation) => ["No daemon", absent(situation), situation.remote ? "retry" : "start"],
  starting: () => ["The daemon is starting", "It answers in a moment; this list follows by itself."],
  busy: ({ owner }) => ["The index is in use", `${owner} holds it just now. This list follows once it has finished.`, "retry"],
  "older-daemon": ({ version }) => [
    "The daemon is too old",
    `It is Holovault ${version}, and this plugin needs a later one. Update Holovault, then start it again with: holovault up`,
    "retry",
  ],
  "newer-daemon": ({ version }) => [
    "This plugin is too old",
    `The daemon is Holovault ${version}, and this plugin does not know its way of answering. Update the plugin.`,
    "retry",
  ],
  "wrong-vault": ({ found, wanted }) => [
    "Another vault answers",
    `The daemon at this address answers for “${found}”, and this vault is “${wanted}”. Change the address, or say in the settings that they are the same.`,
    "settings",
  ],
  imposter: ({ detail }) => ["Another program answers", `${detail} Start the daemon anew with: holovault up`, "retry"],
  unauthorised: ({ detail }) => ["The token is not right", `${detail} Make a new one on the daemon's machine with: holovault token add NAME, and enter it in the settings.`, "settings"],
  refused: ({ detail }) => ["The daemon refuses", detail, "settings"],
  "vault-missing": () => ["The vault's folder is away", "The daemon cannot see it just now; nothing was taken out of the index. Connect the drive again.", "retry"],
  indexing: ({ done, total }) => [
    total > 0 ? `Indexing ${number(done)} of ${number(total)} notes` : "Looking through the vault",
    "Notes that were read already are found; the rest follows.",
  ],
  embedding: ({ done, total, seconds }) => [
    `Learning meaning: ${number(done)} of ${number(total)}`,
    `Every note is found by its words. Meaning follows${seconds === null ? "" : `, in ${duration(seconds)} or so`}.`,
  ],
  "embedder-missing": ({ reason }) => ["Words only", `There is no model that understands meaning: ${sentence(reason)}`, "diagnostics"],
  "some-failed": ({ failed, first }) => [
    failed === 1 ? "One note could not be read" : `${number(failed)} notes could not be read`,
    `All others are found. ${sentence(first)}`,
    "retry-failed",
  ],
  ready: ({ notes, meaning }) => ["Ready", `${number(notes)} ${notes === 1 ? "note is" : "notes are"} found by ${meaning ? "words and by meaning" : "words"}.`],
  "no-note": () => ["No note is open", "Open a note to see what is related to it."],
  "note-excluded": ({ by }) => ["This note is excluded", `It is in no list of results, because of ${by}. What is shown here goes by its text and its links.`],
  "note-not-indexed": () => ["This note is not indexed yet", "What is related to it appears as soon as the daemon has read it.", "index"],
  "note-failed": ({ reason }) => ["This note could not be read", sentence(reason), "retry-failed"],
  "no-query": () => ["Search by words and by meaning", "Type what you remember. Filters such as tag:recipe or folder:Projects narrow it down."],
  "no-results": ({ suggestion }) => ["Nothing found", suggestion === null ? "Try other words, or fewer filters." : `Did you mean “${suggestion}”?`],
  "no-related": ({ hidden }) =>
    hidden > 0
      ? ["Nothing else is related", `${number(hidden)} ${hidden === 1 ? "passage is" : "passages are"} hidden: muted, linked already or below the least score.`, "show-hidden"]
      : ["Nothing is related", "No other note comes close to this one."],
  "no-facts": () => ["No facts here", "Select a sentence and remember it, and it becomes a fact of your memory."],
  failed: ({ detail }) => ["That did not work", sentence(detail), "retry"],
};

const LABELS: Readonly<Record<Step, string>> = {
  start: "Start the sidecar",
  retry: "Try again",
  settings: "Open settings",
  index: "Index now",
  "retry-failed": "Try them again",
  diagnostics: "Copy diagnostics",
  "show-hidden": "Show them",
  none: "",
};

const BUSY = new Set<Situation["kind"]>(["looking", "starting", "busy", "indexing", "embedding", "note-not-indexed"]);
const WARNING = new Set<Situation["kind"]>(["no-daemon", "unconfigured", "older-daemon", "newer-daemon", "wrong-vault", "vault-missing", "embedder-missing", "some-failed", "note-failed"]);
const ERROR = new Set<Situation["kind"]>(["imposter", "unauthorised", "refused", "failed"]);

/** What a situation is called and what can be done about it. */
export function tell(situation: Situation): Told {
  const { kind } = situation;
  // The table has one teller for each kind, which the compiler cannot follow through an index.
  const [title, words, step = "none"] = (TELL[kind] as (given: Situation) => Words)(situation);
  const tone = ERROR.has(kind) ? "error" : WARNING.has(kind) ? "warning" : BUSY.has(kind) ? "busy" : "calm";
  return { kind, title, sentence: words, step, label: LABELS[step], tone, icon: ICONS[tone] };
}

const ICONS: Readonly<Record<Told["tone"], string>> = { calm: "circle-check", busy: "loader", warning: "circle-alert", error: "circle-x" };

/** What a daemon's status means for a person; the most pressing thing first. */
export function situationOf(status: Status): Situation {
  const failures = status.failures ?? [];
  const [first] = failures;
  const broken = status.model.state === "failed";
  if (status.state === "vault-missing") {
    return { kind: "vault-missing" };
  }
  if (status.state === "indexing") {
    return { kind: "indexing", done: status.done ?? 0, total: status.total ?? 0 };
  }
  if (broken) {
    return { kind: "embedder-missing", reason: status.model.reason ?? "the model could not be started." };
  }
  if (status.pending > 0 && status.model.provider !== "none") {
    return { kind: "embedding", done: Math.max(0, status.windows - status.pending), total: status.windows, seconds: status.eta_s ?? null };
  }
  if (first !== undefined) {
    return { kind: "some-failed", failed: new Set(failures.map(({ path }) => path)).size, first: `${first.path}: ${first.reason}` };
  }
  return { kind: "ready", notes: status.files, meaning: status.model.provider !== "none" };
}

/** Whether searches are answered in a situation. */
export function answers(situation: Situation): boolean {
  return ["indexing", "embedding", "embedder-missing", "some-failed", "ready"].includes(situation.kind);
}

function absent({ others, remote, detail }: Extract<Situation, { kind: "no-daemon" }>): string {
  if (remote) {
    return `Nothing answers at the address in the settings. ${sentence(detail)} Look whether the daemon runs there and whether the tunnel is open.`;
  }
  const elsewhere = others.length === 0 ? "" : ` One runs for ${others.map((name) => `“${name}”`).join(" and ")}.`;
  return `Nothing answers for this vault.${elsewhere} Start the sidecar here, or in a terminal with: holovault up`;
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed === "" || /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

function number(value: number): string {
  return value.toLocaleString("en");
}

function duration(seconds: number): string {
  if (seconds < 90) {
    return `${Math.max(1, Math.round(seconds))} s`;
  }
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
