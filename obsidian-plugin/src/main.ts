import { Platform, Plugin } from "obsidian";
import { addCommands, addEditorMenu, openSearch } from "./commands";
import { Companion } from "./companion";
import { Connection } from "./core/connection";
import { Cell } from "./core/observable";
import type { Settings } from "./core/settings";
import { readSettings } from "./core/settings";
import { anyShown, reveal } from "./panes";
import { ports } from "./platform/ports";
import { tokenOf } from "./platform/secrets";
import { loadSettings, saveSettings } from "./platform/stored";
import { vaultFolder } from "./platform/sidecar";
import { moveMutes } from "./platform/sources";
import { HOVER_SOURCE } from "./views/passages";
import { RELATED_VIEW, RelatedView } from "./views/related-view";
import { SEARCH_VIEW, SearchView } from "./views/search-view";
import { HolovaultSettingTab } from "./views/settings-tab";
import { fillStatusBar } from "./views/statusbar";

const VIEWS = [SEARCH_VIEW, RELATED_VIEW] as const;

/** What Obsidian loads: wiring only. Sends nothing before the layout is ready. */
export default class HolovaultPlugin extends Plugin {
  private readonly settled = new Cell<Settings>(readSettings(null));
  private connection: Connection | null = null;

  override async onload(): Promise<void> {
    this.settled.set(await loadSettings(this));
    const vault = { name: this.app.vault.getName(), path: vaultFolder(this.app) };
    const connection = new Connection(ports(), { vault, token: () => tokenOf(this.app).get() || null });
    this.connection = connection;
    const store = { version: this.manifest.version, save: (settings: Settings) => saveSettings(this, settings) };
    const companion = new Companion(this.app, connection, this.settled, store, () => this.watch());
    this.registerView(SEARCH_VIEW, (leaf) => new SearchView(leaf, companion));
    this.registerView(RELATED_VIEW, (leaf) => new RelatedView(leaf, companion));
    this.registerHoverLinkSource(HOVER_SOURCE, { display: "Holovault", defaultMod: true });
    this.addRibbonIcon("search", "Holovault search", () => void openSearch(companion));
    this.addSettingTab(new HolovaultSettingTab(this.app, this, companion));
    addCommands(this, companion);
    if (Platform.isDesktopApp) {
      this.register(fillStatusBar(this.addStatusBarItem(), companion));
    }
    this.register(() => {
      companion.close();
      connection.stop();
    });
    this.app.workspace.onLayoutReady(() => this.begin(companion));
  }

  /** The panes open by themselves once, when a person switches the plugin on. */
  override onUserEnable(): void {
    void reveal(this.app, RELATED_VIEW).then(() => reveal(this.app, SEARCH_VIEW));
  }

  override async onExternalSettingsChange(): Promise<void> {
    // Where the daemon is stays this device's own affair, so that the connection stays.
    this.settled.set(await loadSettings(this));
  }

  private begin(companion: Companion): void {
    addEditorMenu(this, companion);
    this.connection?.start(this.settled.value);
    this.registerEvent(this.app.vault.on("rename", (file, before) => moveMutes(this.app, before, file.path)));
    this.registerEvent(this.app.workspace.on("layout-change", () => this.watch()));
    this.registerEvent(this.app.workspace.on("active-leaf-change", () => this.watch()));
    this.registerDomEvent(activeDocument, "visibilitychange", () => this.watch());
    this.watch();
  }

  private watch(): void {
    const bar = Platform.isDesktopApp && this.settled.value.statusBar && activeDocument.visibilityState !== "hidden";
    this.connection?.watch(bar || anyShown(this.app, VIEWS));
  }
}
