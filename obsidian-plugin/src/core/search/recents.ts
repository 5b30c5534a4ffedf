/** The searches made lately, newest first. Pure; must not store them. */

import { LIMITS } from "../settings";

/** The list with `query` in front. One that only began a later one, letter by letter, makes way for it. */
export function addRecent(recents: readonly string[], query: string): readonly string[] {
  const added = query.trim().replace(/\s+/g, " ");
  if (added === "") {
    return recents;
  }
  const lower = added.toLowerCase();
  const others = recents.filter((recent, index) => recent.toLowerCase() !== lower && !(index === 0 && lower.startsWith(recent.toLowerCase())));
  return [added, ...others].slice(0, LIMITS.recents);
}

/** Those that contain what is typed. */
export function matchingRecents(recents: readonly string[], typed: string): readonly string[] {
  const wanted = typed.trim().toLowerCase();
  return recents.filter((recent) => recent.toLowerCase().includes(wanted) && recent.toLowerCase() !== wanted);
}

/** A list out of whatever was stored. */
export function readRecents(stored: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return list.filter((item) => typeof item === "string").slice(0, LIMITS.recents);
}
