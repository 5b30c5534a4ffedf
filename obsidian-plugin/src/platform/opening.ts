import type { App, PaneType, TFile } from "obsidian";
import { normalizePath } from "obsidian";

/** Where a passage opens: in the note leaf used last, in a new tab, split or window, or in a tab behind. */
export type Where = "here" | "background" | PaneType;

/** Lines of a note, 1-based and inclusive. */
export interface Lines {
  readonly start: number;
  readonly end: number;
}

/** The file of a path as the daemon names it, or null where this vault has none. Never makes one. */
export function fileAt(app: App, path: string): TFile | null {
  const named = app.vault.getFileByPath(path) ?? app.vault.getFileByPath(normalizePath(path));
  if (named !== null) {
    return named;
  }
  // A name from macOS may be written otherwise on the disk; Obsidian takes a note of that name in another folder as well, which is not meant.
  const linked = app.metadataCache.getFirstLinkpathDest(path, "");
  return linked?.path.normalize("NFC") === path.normalize("NFC") ? linked : null;
}

/** Opens `lines` of a file in a leaf for notes, in whichever view that leaf is, and lets the passage flash. */
export async function openAt(app: App, file: TFile, text: string, lines: Lines, where: Where): Promise<void> {
  const leaf = where === "here" ? app.workspace.getLeaf(false) : app.workspace.getLeaf(where === "background" ? "tab" : where);
  const eState = { line: lines.start - 1, match: { content: text, matches: [range(text, lines)] } };
  await leaf.openFile(file, { active: where !== "background", eState });
}

/** The passage as [from, to) offsets in `text`, without the white space around it. */
export function range(text: string, lines: Lines): [number, number] {
  const ends = /\r\n|\n|\r/g;
  let start = 0;
  let number = 1;
  let from = 0;
  let to = text.length;
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
    if (number === lines.end) {
      to = end.index;
      break;
    }
    start = end.index + end[0].length;
    number += 1;
    if (number === lines.start) {
      from = start;
    }
  }
  const passage = text.slice(from, to);
  const lead = passage.length - passage.trimStart().length;
  return [from + (lead === passage.length ? 0 : lead), from + Math.max(passage.trimEnd().length, 0)];
}
