/** One look for the daemon: the proven one, or the situation that says why there is none. Must not wait, repeat or remember. */

import { Daemon } from "./daemon";
import type { Found, RunFile } from "./discovery";
import { discover, folderName } from "./discovery";
import { Door, PROTOCOL } from "./door";
import type { Ports } from "./ports";
import type { DaemonProblem } from "./problems";
import { problemOf } from "./problems";
import type { Health, Status } from "./protocol";
import type { Settings } from "./settings";
import { urlProblem } from "./settings";
import type { Situation } from "./situations";
import { situationOf } from "./situations";

/** The vault that Obsidian has open; `path` is null where it has none on a disk that we see. */
export interface Vault {
  readonly name: string;
  readonly path: string | null;
}

export type Looked =
  | { readonly daemon: Daemon; readonly status: Status; readonly situation: Situation }
  | { readonly daemon: null; readonly status: null; readonly situation: Situation };

const LEFT_OVER = new Set<Situation["kind"]>(["no-daemon", "imposter"]);

/** Finds the daemon as the settings say, makes sure of it, and asks how it is. Rejects never. */
export async function look(ports: Ports, vault: Vault, settings: Settings, token: string | null): Promise<Looked> {
  if (settings.connect === "discover" && ports.disk !== null && vault.path !== null) {
    return await discovered(ports, await discover(ports.disk, settings.homeFolder, vault.path));
  }
  if (urlProblem(settings.url) !== null) {
    return nobody({ kind: "unconfigured", what: "url" });
  }
  if (token === null || token.trim() === "") {
    return nobody({ kind: "unconfigured", what: "token" });
  }
  const door = new Door({ url: settings.url, token: token.trim(), bootId: null }, ports);
  const entered = await enter(door);
  if (entered.status === null) {
    return entered;
  }
  const wanted = settings.vaultName.trim() || vault.name;
  const found = folderName(entered.status.vault);
  return sameName(found, wanted) ? entered : nobody({ kind: "wrong-vault", found, wanted });
}

/** What a problem with the daemon as a whole means for a person. */
export function situationFrom(problem: DaemonProblem, remote: boolean, others: readonly string[] = []): Situation {
  const detail = problem.message;
  switch (problem.kind) {
    case "silent":
      return { kind: "no-daemon", others, remote, detail };
    case "unauthorised":
      return { kind: "unauthorised", detail };
    case "imposter":
      return { kind: "imposter", detail };
    case "version":
      return { kind: "newer-daemon", version: "of another protocol" };
    case "forbidden":
      return { kind: "refused", detail };
    case "timeout":
    case "unreadable":
    case "stale":
    case "not-found":
    case "ambiguous":
    case "too-large":
    case "busy":
    case "indexing":
    case "usage":
    case "broken":
    case "other":
      return { kind: "failed", detail };
  }
}

async function discovered(ports: Ports, { mine, others }: Found): Promise<Looked> {
  let last: Situation = { kind: "no-daemon", others, remote: false, detail: "" };
  for (const run of mine) {
    const found = run.port === null ? nobody(portless(run)) : await enter(doorOf(run, run.port, ports));
    if (found.daemon !== null) {
      return found;
    }
    // A run file is left over where nobody answers, or another program at a port that was used again: starting the daemon helps.
    last = LEFT_OVER.has(found.situation.kind) ? last : found.situation;
  }
  return nobody(last);
}

function doorOf(run: RunFile, port: number, ports: Ports): Door {
  return new Door({ url: `http://127.0.0.1:${port}`, token: run.token, bootId: run.bootId }, ports);
}

function portless(run: RunFile): Situation {
  return run.owner === "daemon" ? { kind: "starting" } : { kind: "busy", owner: run.owner };
}

async function enter(door: Door): Promise<Looked> {
  try {
    const refused = refusal(await door.health());
    if (refused !== null) {
      return nobody(refused);
    }
    const daemon = new Daemon(door);
    const status = await daemon.status();
    return { daemon, status, situation: situationOf(status) };
  } catch (error) {
    const problem = problemOf(error);
    const local = door.address.bootId !== null;
    return nobody(local && problem.kind === "unreadable" ? { kind: "imposter", detail: problem.message } : situationFrom(problem, !local));
  }
}

function refusal(health: Health): Situation | null {
  if (health.protocol === PROTOCOL) {
    return null;
  }
  return { kind: health.protocol < PROTOCOL ? "older-daemon" : "newer-daemon", version: health.version };
}

function sameName(one: string, other: string): boolean {
  return one.normalize("NFC").toLowerCase() === other.normalize("NFC").toLowerCase();
}

function nobody(situation: Situation): Looked {
  return { daemon: null, status: null, situation };
}
