/** The plugin's settings: what they are, their defaults, and making sense of what is stored. Secrets are not among them. */

import { isObject } from "./problems";
import type { SearchRequest } from "./protocol";

export type Mode = NonNullable<SearchRequest["mode"]>;

/** Name of the daemon's token in Obsidian's secret storage. */
export const TOKEN_SECRET = "holovault-token";

export const LIMITS = { results: { least: 5, most: 200 }, recents: 20 } as const;

export interface Settings {
  /** `discover` reads the daemon's run file on this computer; `url` asks a given address with a stored token. */
  readonly connect: "discover" | "url";
  /** Holovault's own folder; "" is ~/.holovault. */
  readonly homeFolder: string;
  readonly url: string;
  /** Name of the vault's folder where the daemon runs, if it differs from this vault's; "" where it does not. */
  readonly vaultName: string;
  /** What "Start the sidecar" runs on a desktop. `{vault}` stands for the vault's folder, quoted. */
  readonly command: string;
  readonly mode: Mode;
  readonly limit: number;
  /** Related passages with a lower score are left out; 0 to 1. */
  readonly minScore: number;
  readonly hideLinked: boolean;
  readonly showSignals: boolean;
  readonly followCursor: boolean;
  readonly openIn: "here" | "tab" | "split";
  readonly statusBar: boolean;
}

export const DEFAULTS: Settings = {
  connect: "discover",
  homeFolder: "",
  url: "",
  vaultName: "",
  command: "holovault up {vault}",
  mode: "hybrid",
  limit: 30,
  minScore: 0,
  hideLinked: false,
  showSignals: true,
  followCursor: true,
  openIn: "here",
  statusBar: true,
};

/** Where the daemon is differs from one device to the next: what a sync service carries along must not say it. */
const DEVICE: readonly (keyof Settings)[] = ["connect", "homeFolder", "url", "vaultName", "command"];

/** The settings that devices share, and those of this one. */
export function divided(settings: Settings): { readonly shared: Partial<Settings>; readonly device: Partial<Settings> } {
  const own = (wanted: boolean) => Object.fromEntries(Object.entries(settings).filter(([name]) => DEVICE.some((one) => one === name) === wanted));
  return { shared: own(false), device: own(true) };
}

const CHOICES: { readonly [Name in keyof Settings]?: readonly Settings[Name][] } = {
  connect: ["discover", "url"],
  mode: ["hybrid", "lexical", "semantic"],
  openIn: ["here", "tab", "split"],
};

/** Whole settings out of whatever was stored: a value that cannot be is the default, an unknown one is left out. */
export function readSettings(stored: unknown): Settings {
  const given = isObject(stored) ? stored : {};
  const kept = Object.entries(DEFAULTS).map(([name, value]: [string, unknown]) => [name, accepts(name, value, given[name]) ? given[name] : value] as const);
  // Each value has just been held against the default of its name.
  const settings = Object.fromEntries(kept) as unknown as Settings;
  const { least, most } = LIMITS.results;
  return {
    ...settings,
    limit: clamp(Math.round(settings.limit), least, most),
    minScore: clamp(settings.minScore, 0, 1),
    url: settings.url.trim().replace(/\/+$/, ""),
  };
}

function accepts(name: string, standard: unknown, value: unknown): boolean {
  const choices: readonly unknown[] | undefined = (CHOICES as Readonly<Record<string, readonly unknown[]>>)[name];
  return typeof value === typeof standard && !Number.isNaN(value) && (choices?.includes(value) ?? true);
}

/** What is wrong with an address, as a sentence; null where nothing is. */
export function urlProblem(text: string): string | null {
  if (text.trim() === "") {
    return "Enter the daemon's address, such as https://notes.example.org or http://127.0.0.1:8765.";
  }
  const url = urlOf(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return "An address begins with https:// or http:// and names a host.";
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    return "An address here is a host, a port and perhaps a path: no name, password, ? or #.";
  }
  return null;
}

/** What deserves a word of warning about an address that works; null where nothing does. */
export function urlWarning(text: string): string | null {
  const url = urlOf(text.trim());
  const local = url !== null && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return url?.protocol === "http:" && !local ? "Without https, everybody on the way can read what is sent. Use it inside a tunnel or VPN only." : null;
}

function urlOf(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
