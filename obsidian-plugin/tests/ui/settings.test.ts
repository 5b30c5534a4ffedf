import { App } from "obsidian";
import { expect, it, vi } from "vitest";
import { Plugin } from "obsidian";
import type { Settings } from "../../src/core/settings";
import { DEFAULTS } from "../../src/core/settings";
import type { SettingsHost } from "../../src/views/settings-tab";
import { HolovaultSettingTab } from "../../src/views/settings-tab";

interface Mocked {
  createConfigured__(): { asOriginalType__(): App };
}

class Host implements SettingsHost {
  settings: Settings = DEFAULTS;
  secret = "";
  readonly test = vi.fn(() => Promise.resolve("Nobody answers."));
  readonly copyDiagnostics = vi.fn(() => Promise.resolve("Copied."));

  change(changed: Partial<Settings>): Promise<void> {
    this.settings = { ...this.settings, ...changed };
    return Promise.resolve();
  }

  token(): string {
    return this.secret;
  }

  setToken(token: string): void {
    this.secret = token;
  }
}

function tabOf(host: Host): HolovaultSettingTab {
  const app = (App as unknown as Mocked).createConfigured__().asOriginalType__();
  const plugin = new (class extends Plugin {})(app, { id: "holovault", name: "Holovault", version: "0.1.0", minAppVersion: "1.11.4", description: "", author: "" });
  return new HolovaultSettingTab(app, plugin, host);
}

/** As Obsidian before 1.13 does. */
function draw(tab: { display(): void }): void {
  tab.display();
}

it("every setting that is declared is also drawn where Obsidian does not ask for declarations", () => {
  const tab = tabOf(new Host());
  const declared = tab.getSettingDefinitions().flatMap((group) => ("items" in group ? (group.items ?? []) : [])).map((item) => ("name" in item ? item.name : ""));
  draw(tab);
  const remote = ["Address", "Token", "Name of the vault there"];
  expect(declared.length).toBeGreaterThan(12);
  expect(declared.filter((name) => !(tab.containerEl.textContent.includes(name) || remote.includes(name)))).toEqual([]);
});
