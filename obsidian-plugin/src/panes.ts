/** Opening our panes, and whether any of them can be seen. Holds no view: Obsidian may close one at any time. */

import type { App, WorkspaceLeaf } from "obsidian";

/** Brings the pane of that type to the front, making it in the right side where there is none. */
export async function reveal(app: App, type: string): Promise<WorkspaceLeaf | null> {
  const { workspace } = app;
  const leaf = workspace.getLeavesOfType(type)[0] ?? workspace.getRightLeaf(false);
  if (leaf === null) {
    return null;
  }
  if (leaf.getViewState().type !== type) {
    await leaf.setViewState({ type, active: true });
  }
  await leaf.loadIfDeferred();
  await workspace.revealLeaf(leaf);
  return leaf;
}

/** Whether a pane of one of these types is on a screen that somebody can look at. */
export function anyShown(app: App, types: readonly string[]): boolean {
  return activeDocument.visibilityState !== "hidden" && types.some((type) => app.workspace.getLeavesOfType(type).some((leaf) => leaf.view.containerEl.isShown()));
}
