/** The settings as Obsidian 1.13 declares them, and the same rows drawn by hand for what is older. Must not know what a setting does. */

import type { App, Plugin, SettingDefinitionItem } from "obsidian";
import { PluginSettingTab, requireApiVersion, Setting } from "obsidian";
import type { Settings } from "../core/settings";
import { LIMITS, urlProblem, urlWarning } from "../core/settings";

type Name = keyof Settings;
type Row =
  | { readonly kind: "text"; readonly key: Name | "token"; readonly placeholder: string; readonly problem?: (text: string) => string | null; readonly secret?: boolean }
  | { readonly kind: "toggle"; readonly key: Name }
  | { readonly kind: "choice"; readonly key: Name; readonly options: Readonly<Record<string, string>> }
  | { readonly kind: "slider"; readonly key: Name; readonly least: number; readonly most: number; readonly step: number }
  | { readonly kind: "button"; readonly label: string; readonly act: () => Promise<string> };

interface Item {
  readonly name: string;
  readonly about: string;
  readonly row: Row;
  readonly remote?: boolean;
}

interface Group {
  readonly heading: string;
  readonly items: readonly Item[];
}

/** What the settings read, write and can try out. */
export interface SettingsHost {
  readonly settings: Settings;
  change(changed: Partial<Settings>): Promise<void>;
  token(): string;
  setToken(token: string): void;
  /** One sentence about the connection, with the cause where there is none. */
  test(): Promise<string>;
  copyDiagnostics(): Promise<string>;
}

export class HolovaultSettingTab extends PluginSettingTab {
  constructor(
    app: App,
    plugin: Plugin,
    private readonly host: SettingsHost,
  ) {
    super(app, plugin);
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    return groups(this.host).map((group) => ({ type: "group", heading: group.heading, items: group.items.map((item) => this.definition(item)) }));
  }

  /** For Obsidian before 1.13, which does not ask for definitions. */
  override display(): void {
    this.drawAll();
  }

  private drawAll(): void {
    this.containerEl.empty();
    for (const group of groups(this.host)) {
      if (group.heading !== "") {
        new Setting(this.containerEl).setName(group.heading).setHeading();
      }
      group.items.filter((item) => this.visible(item)).forEach((item) => draw(new Setting(this.containerEl).setName(item.name).setDesc(item.about), item.row, this.host, () => this.drawAll()));
    }
  }

  private definition(item: Item): Exclude<SettingDefinitionItem, { type: "group" | "list" | "page" }> {
    return { name: item.name, desc: item.about, visible: () => this.visible(item), render: (setting) => draw(setting, item.row, this.host, () => this.refresh()) };
  }

  private refresh(): void {
    if (requireApiVersion("1.13.0")) {
      this.refreshDomState();
    }
  }

  private visible(item: Item): boolean {
    return item.remote === undefined || item.remote === (this.host.settings.connect === "url");
  }
}

function draw(setting: Setting, row: Row, host: SettingsHost, changed: () => void): void {
  const change = (key: Name, value: unknown) => host.change({ [key]: value });
  switch (row.kind) {
    case "text":
      drawText(setting, row, host);
      break;
    case "toggle":
      setting.addToggle((part) => part.setValue(Boolean(host.settings[row.key])).onChange((on) => change(row.key, on)));
      break;
    case "choice":
      setting.addDropdown((part) => part.addOptions({ ...row.options }).setValue(String(host.settings[row.key])).onChange((value) => change(row.key, value).then(changed)));
      break;
    case "slider":
      setting.addText((part) => {
        part.inputEl.type = "number";
        part.inputEl.min = String(row.least);
        part.inputEl.max = String(row.most);
        part.inputEl.step = String(row.step);
        part.setValue(String(host.settings[row.key])).onChange((text) => (Number.isFinite(Number.parseFloat(text)) ? change(row.key, Number.parseFloat(text)) : undefined));
      });
      break;
    case "button":
      setting.addButton((part) =>
        part.setButtonText(row.label).onClick(async () => {
          part.setDisabled(true);
          setting.setDesc(await row.act());
          part.setDisabled(false);
        }),
      );
      break;
  }
}

function drawText(setting: Setting, row: Extract<Row, { kind: "text" }>, host: SettingsHost): void {
  const problem = setting.settingEl.createDiv({ cls: "hv-setting-problem", attr: { role: "alert" } });
  setting.addText((part) => {
    part.inputEl.type = row.secret === true ? "password" : "text";
    part.inputEl.autocomplete = "off";
    const value = row.key === "token" ? host.token() : String(host.settings[row.key]);
    part.setPlaceholder(row.placeholder).setValue(value);
    part.onChange(async (text) => {
      problem.setText(row.problem?.(text) ?? "");
      if (row.key === "token") {
        host.setToken(text.trim());
      } else {
        await host.change({ [row.key]: text.trim() });
      }
    });
  });
}

function groups(host: SettingsHost): Group[] {
  return [
    { heading: "", items: [...connecting(), { name: "Test connection", about: "Says who answers, or why nobody does.", row: { kind: "button", label: "Test", act: () => host.test() } }] },
    { heading: "Searching", items: searching() },
    { heading: "Related notes", items: relating() },
    {
      heading: "When something is wrong",
      items: [{ name: "Diagnostics", about: "Versions, state and numbers for a report: no token, no query, no text of a note.", row: { kind: "button", label: "Copy", act: () => host.copyDiagnostics() } }],
    },
  ];
}

function connecting(): Item[] {
  const problem = (text: string) => urlProblem(text) ?? urlWarning(text);
  return [
    { name: "Find the daemon", about: "On this computer by itself; on a phone, or for a daemon elsewhere, by an address.", row: { kind: "choice", key: "connect", options: { discover: "On this computer", url: "By an address" } } },
    { name: "Address", about: "Through a tunnel, a VPN or a proxy with a certificate.", row: { kind: "text", key: "url", placeholder: "https://notes.example.org", problem }, remote: true },
    { name: "Token", about: "Made on the daemon's machine with: holovault token add NAME. It is kept as a secret on this device and not among the settings.", row: { kind: "text", key: "token", placeholder: "", secret: true }, remote: true },
    { name: "Name of the vault there", about: "Only where the vault's folder has another name on that computer.", row: { kind: "text", key: "vaultName", placeholder: "" }, remote: true },
    { name: "Folder of the daemon's files", about: "Only where HOLOVAULT_HOME moved it: programs with windows do not see a shell's variables.", row: { kind: "text", key: "homeFolder", placeholder: "~/.holovault" }, remote: false },
    { name: "Command that starts the sidecar", about: "Run when you ask for it, never by itself. {vault} stands for this vault's folder.", row: { kind: "text", key: "command", placeholder: "holovault up {vault}" }, remote: false },
  ];
}

function searching(): Item[] {
  return [
    { name: "Search by", about: "What a new search goes by.", row: { kind: "choice", key: "mode", options: { hybrid: "Words and meaning", lexical: "Words", semantic: "Meaning" } } },
    { name: "Results", about: `How many passages at most, ${String(LIMITS.results.least)} to ${String(LIMITS.results.most)}.`, row: { kind: "slider", key: "limit", least: LIMITS.results.least, most: LIMITS.results.most, step: 5 } },
    { name: "Open in", about: "What Enter and a click do; with Ctrl or Cmd it is a new tab.", row: { kind: "choice", key: "openIn", options: { here: "The current tab", tab: "A new tab", split: "A split" } } },
    { name: "Say how a passage was found", about: "A quiet word on each row.", row: { kind: "toggle", key: "showSignals" } },
    { name: "State in the status bar", about: "On a desktop only.", row: { kind: "toggle", key: "statusBar" } },
  ];
}

function relating(): Item[] {
  return [
    { name: "Follow the cursor", about: "Passages of the section that the cursor is in come first.", row: { kind: "toggle", key: "followCursor" } },
    { name: "Hide notes that are linked already", about: "Links in either direction.", row: { kind: "toggle", key: "hideLinked" } },
    { name: "Least score", about: "Passages below it are left out, 0 to 1.", row: { kind: "slider", key: "minScore", least: 0, most: 1, step: 0.05 } },
  ];
}
