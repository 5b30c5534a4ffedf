/** The editor that links go into: the note used last, also while a pane of ours has the focus. */

import type { App, Editor } from "obsidian";
import { MarkdownView } from "obsidian";

/** The note used last and its editor, null where it is no note or only shown for reading. */
export function lastEditor(app: App): { readonly editor: Editor; readonly path: string } | null {
  const view = lastNote(app);
  return view?.file && view.getMode() === "source" ? { editor: view.editor, path: view.file.path } : null;
}

export function lastNote(app: App): MarkdownView | null {
  const view = app.workspace.getMostRecentLeaf(app.workspace.rootSplit)?.view;
  return view instanceof MarkdownView ? view : null;
}

/** Puts `text` where the cursor is, or in place of what is selected. Whether there was a place. */
export function insert(app: App, text: string): boolean {
  const found = lastEditor(app);
  found?.editor.replaceSelection(text);
  found?.editor.focus();
  return found !== null;
}
