/** What Obsidian knows of a note: its links, the section at a line, its text; and what a person muted beside it. Only reads notes. */

import type { App, TFile } from "obsidian";
import type { LinkedNote, Mutes, NoteLinks, Section, Sources } from "../core/related";
import { linesOf } from "../core/anchor";
import type { Heading } from "../core/headings";
import { isObject } from "../core/problems";
import { renamedMutes } from "../core/related";
import { fileAt } from "./opening";

const MUTED = "holovault-muted";

export function sourcesOf(app: App): Sources {
  return { links: (path) => links(app, path), section: (path, line) => section(app, path, line), text: (path) => text(app, path) };
}

/** Kept on this device alone, as the panes themselves are. */
export function mutesOf(app: App): Mutes {
  return {
    of: (path) => mutesIn(app)[path] ?? [],
    set: (path, muted) => {
      const { [path]: _before, ...rest } = mutesIn(app);
      app.saveLocalStorage(MUTED, muted.length === 0 ? rest : { ...rest, [path]: muted });
    },
  };
}

/** Lets what is muted follow a note or a folder to its new path. */
export function moveMutes(app: App, before: string, after: string): void {
  app.saveLocalStorage(MUTED, renamedMutes(mutesIn(app), before, after));
}

function mutesIn(app: App): Readonly<Record<string, readonly string[]>> {
  const stored: unknown = app.loadLocalStorage(MUTED);
  const texts = (list: unknown) => (Array.isArray(list) ? list.filter((one) => typeof one === "string") : []);
  return isObject(stored) ? Object.fromEntries(Object.entries(stored).map(([path, list]) => [path, texts(list)])) : {};
}

function links(app: App, path: string): NoteLinks {
  const { resolvedLinks } = app.metadataCache;
  const named = (paths: readonly string[]): LinkedNote[] =>
    paths.flatMap((other) => {
      const file = app.vault.getFileByPath(other);
      return file === null || file.extension !== "md" || other === path ? [] : [{ path: other, title: file.basename }];
    });
  const from = Object.entries(resolvedLinks).flatMap(([source, targets]) => (path in targets ? [source] : []));
  return { to: named(Object.keys(resolvedLinks[path] ?? {})), from: named(from) };
}

async function section(app: App, path: string, line: number): Promise<Section | null> {
  const file = fileAt(app, path);
  const headings = file === null ? [] : (headingsOf(app, file) ?? []);
  const heading = headings.filter((one) => one.line <= line).at(-1);
  if (file === null || heading === undefined) {
    return null;
  }
  const next = headings.find((other) => other.line > heading.line && other.level <= heading.level);
  const lines = linesOf(await read(app, file)).slice(heading.line, next === undefined ? undefined : next.line - 1);
  return { heading: heading.text, text: lines.join("\n"), start: heading.line };
}

async function text(app: App, path: string): Promise<string> {
  const file = fileAt(app, path);
  return file === null ? "" : await read(app, file);
}

/** The headings of a note; null while Obsidian has not read it. */
export function headingsOf(app: App, file: TFile): readonly Heading[] | null {
  const found = app.metadataCache.getFileCache(file);
  return found === null ? null : (found.headings ?? []).map(({ heading, level, position }) => ({ text: heading, level, line: position.start.line + 1 }));
}

function read(app: App, file: TFile): Promise<string> {
  return app.vault.cachedRead(file);
}
