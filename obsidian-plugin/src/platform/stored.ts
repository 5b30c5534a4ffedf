/** Where settings are kept: what devices share in data.json, which sync services carry along, the rest on this device. */

import type { Plugin } from "obsidian";
import { isObject } from "../core/problems";
import type { Settings } from "../core/settings";
import { divided, readSettings } from "../core/settings";

const STORED = "holovault-device";

export async function loadSettings(plugin: Plugin): Promise<Settings> {
  const shared: unknown = await plugin.loadData();
  const device: unknown = plugin.app.loadLocalStorage(STORED);
  return readSettings({ ...(isObject(shared) ? shared : {}), ...(isObject(device) ? device : {}) });
}

export async function saveSettings(plugin: Plugin, settings: Settings): Promise<void> {
  const { shared, device } = divided(settings);
  plugin.app.saveLocalStorage(STORED, device);
  await plugin.saveData(shared);
}
