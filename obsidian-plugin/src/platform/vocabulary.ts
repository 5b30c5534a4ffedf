/** What this vault has to filter by, for suggestions while typing. Only reads what Obsidian has in memory. */

import type { App } from "obsidian";
import type { Known } from "../core/search/suggest";

export function known(app: App): Known {
  const folders = app.vault.getAllFolders().map(({ path }) => path);
  const projects = folders.flatMap((path) => /^Projects\/([^/]+)$/.exec(path)?.[1] ?? []);
  return { folders, projects, ...counted(app) };
}

/** Tags and properties that Obsidian counts; it has no public way to say so. */
function counted(app: App): Pick<Known, "tags" | "properties"> {
  const cache = app.metadataCache as { getTags?: () => Record<string, number>; getAllPropertyInfos?: () => Record<string, unknown> };
  const counts = cache.getTags?.() ?? {};
  const tags = Object.keys(counts).sort((one, other) => (counts[other] ?? 0) - (counts[one] ?? 0));
  return { tags: tags.map((tag) => tag.replace(/^#/, "")), properties: Object.keys(cache.getAllPropertyInfos?.() ?? {}) };
}
