/** Everything that a person can do, as commands without keys of their own. Must not hold what they do. */

import type { App, Plugin } from "obsidian";
import { Notice, Platform } from "obsidian";
import type { Companion } from "./companion";
import { asWords } from "./core/search/tokens";
import { lastEditor } from "./platform/editing";
import { reveal } from "./panes";
import { FactModal } from "./views/fact-modal";
import { QuickModal } from "./views/quick-modal";
import { RELATED_VIEW, RelatedView } from "./views/related-view";
import { SEARCH_VIEW, SearchView } from "./views/search-view";
import { DetailsModal } from "./views/statusbar";

const MOST = 300;

export function addCommands(plugin: Plugin, companion: Companion): void {
  const { app } = plugin;
  const add = (id: string, name: string, callback: () => unknown) => plugin.addCommand({ id, name, callback });
  add("search", "Search", () => openSearch(companion));
  add("quick", "Search in a window", () => new QuickModal(app, companion, "").open());
  add("related", "Related notes", () => reveal(app, RELATED_VIEW));
  add("status", "Show what the daemon does", () => new DetailsModal(app, companion).open());
  add("reconnect", "Look for the daemon again", () => companion.connection.retry());
  add("index", "Bring the index up to date", () => companion.act("index"));
  add("retry-failed", "Try failed notes again", () => companion.act("retry-failed"));
  add("diagnostics", "Copy diagnostics", () => companion.copyDiagnostics());
  add("page", "Open the facts page in the browser", () => openPage(companion));
  plugin.addCommand({ id: "pin", name: "Pin or let go of related notes", checkCallback: (checking) => onRelated(app, checking, (view) => view.togglePin()) });
  plugin.addCommand({ id: "copy-tray", name: "Copy collected passages for a chat", checkCallback: (checking) => onTray(companion, checking, () => companion.copyTray("")) });
  plugin.addCommand({ id: "clear-tray", name: "Clear collected passages", checkCallback: (checking) => onTray(companion, checking, () => companion.tray.clear()) });
  plugin.addCommand({ id: "start", name: "Start the sidecar", checkCallback: (checking) => onDesktop(checking, () => companion.start()) });
  plugin.addCommand({
    id: "search-selection",
    name: "Search for what is selected",
    editorCheckCallback: (checking, editor) => withText(checking, editor.getSelection(), (text) => openSearch(companion, asWords(text, MOST))),
  });
  plugin.addCommand({
    id: "related-selection",
    name: "Related to what is selected",
    editorCheckCallback: (checking, editor) => withText(checking, editor.getSelection(), (text) => relateTo(companion, text)),
  });
  plugin.addCommand({
    id: "remember",
    name: "Remember what is selected as a fact",
    editorCheckCallback: (checking, editor) => withText(checking, editor.getSelection(), (text) => new FactModal(app, companion, text).open()),
  });
}

/** Opens the search pane with the cursor in its field; `query` is asked for. */
export async function openSearch(companion: Companion, query = ""): Promise<void> {
  const leaf = await reveal(companion.app, SEARCH_VIEW);
  if (leaf?.view instanceof SearchView) {
    leaf.view.focus(query);
  }
}

/** Items for the editor's own menu. */
export function addEditorMenu(plugin: Plugin, companion: Companion): void {
  plugin.registerEvent(
    plugin.app.workspace.on("editor-menu", (menu, editor) => {
      const text = editor.getSelection().trim();
      if (text === "") {
        return;
      }
      menu.addItem((item) => item.setTitle("Search for selection").setIcon("search").setSection("holovault").onClick(() => openSearch(companion, asWords(text, MOST))));
      menu.addItem((item) => item.setTitle("Remember as a fact").setIcon("bookmark-plus").setSection("holovault").onClick(() => new FactModal(plugin.app, companion, text).open()));
    }),
  );
}

async function relateTo(companion: Companion, text: string): Promise<void> {
  const leaf = await reveal(companion.app, RELATED_VIEW);
  if (leaf?.view instanceof RelatedView) {
    leaf.view.relateTo(text, lastEditor(companion.app)?.path ?? "");
  }
}

async function openPage(companion: Companion): Promise<void> {
  try {
    window.open(await companion.connection.ask((daemon) => daemon.page()));
  } catch (error) {
    companion.complain(error);
  }
}

function onRelated(app: App, checking: boolean, act: (view: RelatedView) => void): boolean {
  const view = app.workspace.getLeavesOfType(RELATED_VIEW).map((leaf) => leaf.view).find((one) => one instanceof RelatedView);
  if (!checking && view !== undefined) {
    act(view);
  }
  return view !== undefined;
}

function onTray(companion: Companion, checking: boolean, act: () => unknown): boolean {
  const has = companion.tray.rows.value.length > 0;
  if (!checking && has) {
    act();
  }
  return has;
}

function onDesktop(checking: boolean, act: () => Promise<void>): boolean {
  if (!checking && Platform.isDesktopApp) {
    void act();
  }
  return Platform.isDesktopApp;
}

function withText(checking: boolean, text: string, act: (text: string) => unknown): boolean {
  const given = text.trim();
  if (checking) {
    return given !== "";
  }
  if (given === "") {
    new Notice("Select some text first.");
    return false;
  }
  act(given);
  return true;
}
