/** What a person can paste into a bug report. Must not hold a token, a query, a note's text or name, or who the person is. */

import type { Status } from "./protocol";
import type { Settings } from "./settings";
import type { Situation } from "./situations";
import { tell } from "./situations";

export interface Parts {
  readonly plugin: string;
  readonly obsidian: string;
  readonly platform: string;
  readonly settings: Settings;
  readonly situation: Situation;
  readonly status: Status | null;
  readonly hasToken: boolean;
}

export function diagnostics({ plugin, obsidian, platform, settings, situation, status, hasToken }: Parts): string {
  const { connect, mode, limit, minScore, hideLinked, followCursor, openIn } = settings;
  const lines: readonly (readonly [string, string])[] = [
    ["Plugin", plugin],
    ["Obsidian", `${obsidian} on ${platform}`],
    ["Connection", `${connect}${settings.url === "" ? "" : ` (${scheme(settings.url)})`}, token ${hasToken ? "set" : "not set"}`],
    ["Home folder", settings.homeFolder.trim() === "" ? "standard" : "its own"],
    ["State", tell(situation).title],
    ["Settings", JSON.stringify({ mode, limit, minScore, hideLinked, followCursor, openIn })],
    ...(status === null ? [["Daemon", "has not answered"] as const] : daemonLines(status)),
  ];
  return lines.map(([name, value]) => `${name}: ${value}`).join("\n");
}

function daemonLines(status: Status): readonly (readonly [string, string])[] {
  const { model, failures = [] } = status;
  const stages = [...new Set(failures.map(({ stage }) => stage))].join(", ");
  return [
    ["Daemon", `${status.version}, ${status.state}, generation ${status.generation}, ${Math.round(status.memory_mb)} MB`],
    ["Watching", status.watching],
    ["Index", `${status.files} notes, ${status.chunks} passages, ${status.embedded} of ${status.windows} windows, ${status.pending} pending`],
    ["Model", `${model.provider} ${model.name} (${model.dimension}), ${model.state}`],
    ["Failures", failures.length === 0 ? "none" : `${failures.length} (${stages})`],
  ];
}

function scheme(url: string): string {
  return url.startsWith("https:") ? "https" : "http";
}
