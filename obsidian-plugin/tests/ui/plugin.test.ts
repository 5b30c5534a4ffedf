import { App } from "obsidian";
import { expect, it } from "vitest";
import { DEFAULTS } from "../../src/core/settings";
import HolovaultPlugin from "../../src/main";
import { loadSettings, saveSettings } from "../../src/platform/stored";

interface Mocked {
  createConfigured__(): { asOriginalType__(): App };
}

interface Registered {
  readonly commands__: Map<string, { name: string; hotkeys?: unknown }>;
  readonly views__: Map<string, unknown>;
  readonly hoverLinkSources__: Map<string, unknown>;
  readonly statusBarItems__: HTMLElement[];
  readonly settingTabs__: unknown[];
}

const MANIFEST = { id: "holovault", name: "Holovault", version: "0.1.0", minAppVersion: "1.11.4", description: "", author: "" };

it("loading registers views, commands, a hover source and settings, and asks nobody", async () => {
  const app = (App as unknown as Mocked).createConfigured__().asOriginalType__();
  const plugin = new HolovaultPlugin(app, MANIFEST);
  await plugin.onload();
  const { commands__: commands, ...made } = plugin as unknown as Registered;
  const names = [...commands.values()].map(({ name }) => name);
  expect(names).toContain("Search");
  expect(names).toContain("Start the sidecar");
  expect(names.filter((name) => /holovault|command/i.test(name))).toEqual([]);
  expect([...commands.values()].filter(({ hotkeys }) => hotkeys !== undefined)).toEqual([]);
  expect([...commands.keys()].filter((id) => id.includes("holovault"))).toEqual([]);
  expect(made.views__.size).toBe(2);
  expect(made.hoverLinkSources__.has("holovault")).toBe(true);
  expect(made.settingTabs__.length).toBe(1);
  expect(made.statusBarItems__[0]?.getAttribute("aria-label")).toContain("Looking for the daemon");
  plugin.unload();
});

it("a device keeps its own way to the daemon when settings of another one arrive", async () => {
  const app = (App as unknown as Mocked).createConfigured__().asOriginalType__();
  const plugin = new HolovaultPlugin(app, MANIFEST);
  let data: unknown = null;
  plugin.loadData = () => Promise.resolve(data);
  plugin.saveData = (given) => Promise.resolve(void (data = given));
  await saveSettings(plugin, { ...DEFAULTS, command: "C:\\holovault.exe up {vault}", limit: 50 });
  expect(data).toMatchObject({ limit: 50 });
  expect(Object.keys(data ?? {}).filter((name) => ["connect", "url", "vaultName", "homeFolder", "command"].includes(name))).toEqual([]);
  // An older version on the other device wrote all of them.
  data = { ...DEFAULTS, command: "/usr/bin/holovault up {vault}", limit: 20 };
  expect(await loadSettings(plugin)).toMatchObject({ command: "C:\\holovault.exe up {vault}", limit: 20 });
});

it("commands about the tray and the list are offered only where there is something to do", async () => {
  const app = (App as unknown as Mocked).createConfigured__().asOriginalType__();
  const plugin = new HolovaultPlugin(app, MANIFEST);
  await plugin.onload();
  const { commands__: commands } = plugin as unknown as { commands__: Map<string, { checkCallback?: (checking: boolean) => boolean }> };
  const offered = ["pin", "copy-tray", "clear-tray"].map((id) => [...commands].find(([key]) => key.endsWith(id))?.[1].checkCallback?.(true));
  expect(offered).toEqual([false, false, false]);
  plugin.unload();
});
