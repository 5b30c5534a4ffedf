// The module `obsidian` of the browser tests, and the making of an app with a few notes in it.
import { App, Plugin } from "./app";
import { extendDom } from "./dom";
import { ItemView, MarkdownView, TAbstractFile, TFile, TFolder, Vault, View } from "./notes";
import { Component, Events, Keymap, Menu, Modal, Notice, Scope } from "./parts";
import { PluginSettingTab, SearchComponent, Setting } from "./settings";

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Bridge {
  /** Node's own HTTP: like Obsidian's request, no page's. */
  holovaultRequest(request: unknown): Promise<Answer>;
  /** The built main.js, which the page has as a function. */
  holovaultModule(module: unknown, exports: unknown, require: () => unknown): void;
  holovaultDisk(name: string, ...given: unknown[]): Promise<unknown>;
}

const bridge = window as unknown as Bridge;

async function disk(name: string, ...given: unknown[]): Promise<unknown> {
  const [failed, value] = (await bridge.holovaultDisk(name, ...given)) as [boolean, unknown];
  if (failed) {
    throw new Error(String(value));
  }
  return value;
}

const modules = (home: string): Record<string, unknown> => ({
  fs: {
    promises: {
      readdir: (path: string) => disk("readdir", path),
      readFile: (path: string) => disk("readFile", path),
      realpath: (path: string) => disk("realpath", path),
      stat: async (path: string) => {
        const [dev, ino] = (await disk("stat", path)) as [string, string];
        return { dev: BigInt(dev), ino: BigInt(ino) };
      },
    },
  },
  os: { homedir: () => home },
  path: { join: (...parts: string[]) => parts.join("/") },
  process: { env: {}, kill: () => true },
  child_process: {},
});

const Platform = { isDesktopApp: true, isDesktop: true, isMobile: false, isMobileApp: false, isWin: false, isMacOS: false, isLinux: true };

export const obsidian = {
  App,
  Component,
  Events,
  ItemView,
  Keymap,
  MarkdownView,
  Menu,
  Modal,
  Notice,
  Platform,
  Plugin,
  PluginSettingTab,
  Scope,
  SearchComponent,
  Setting,
  TAbstractFile,
  TFile,
  TFolder,
  View,
  apiVersion: "1.12.7",
  requireApiVersion: () => false,
  normalizePath: (path: string) => path.normalize("NFC").replace(/^\/+|\/+$/g, ""),
  setIcon: (element: HTMLElement, name: string) => element.setAttribute("data-icon", name),
  setTooltip: (element: HTMLElement, text: string) => element.setAttribute("data-tooltip", text),
  requestUrl: (request: unknown) => bridge.holovaultRequest(request),
  debounce: (call: () => void, ms: number, restart: boolean) => {
    let timer = 0;
    return () => {
      if (timer !== 0 && !restart) {
        return;
      }
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        timer = 0;
        call();
      }, ms);
    };
  },
};

interface Loaded extends Plugin {
  onload(): Promise<void>;
}

interface Start {
  readonly notes: Record<string, string>;
  readonly vault: string;
  readonly home: string;
  readonly data: unknown;
}

/** Loads the built plugin into a new app, as Obsidian does. */
export async function start({ notes, vault, home, data }: Start): Promise<void> {
  extendDom();
  const known = modules(home);
  Object.assign(window, { require: (name: string) => known[name] });
  const app = new App(new Vault(new Map(Object.entries(notes)), vault));
  const module: { exports: { default?: new (app: App, manifest: unknown) => Loaded } } = { exports: {} };
  bridge.holovaultModule(module, module.exports, () => obsidian);
  const Made = module.exports.default;
  if (Made === undefined) {
    throw new Error("main.js exports no plugin");
  }
  const plugin = new Made(app, { id: "holovault", version: "0.1.0" });
  await plugin.saveData(data);
  const before = performance.now();
  await plugin.onload();
  Object.assign(window, { app, plugin, onloadMs: performance.now() - before });
}

Object.assign(window, { holovaultStart: start });
