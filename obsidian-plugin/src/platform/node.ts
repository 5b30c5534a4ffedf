/** Node's modules, asked for when they are needed and only on a desktop: phones and tablets have none. Must not be imported at load for anything else. */

import { Platform } from "obsidian";

interface Stats {
  readonly dev: bigint;
  readonly ino: bigint;
}

interface Child {
  on(event: "error", call: (error: Error) => void): void;
  on(event: "exit", call: (code: number | null) => void): void;
  unref(): void;
}

interface SpawnOptions {
  readonly shell: true;
  readonly detached: true;
  readonly stdio: "ignore";
  readonly windowsHide: true;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Modules {
  readonly fs: {
    readonly promises: {
      readdir(path: string): Promise<string[]>;
      readFile(path: string, encoding: "utf8"): Promise<string>;
      stat(path: string, options: { readonly bigint: true }): Promise<Stats>;
      realpath(path: string): Promise<string>;
    };
  };
  readonly os: { homedir(): string };
  readonly path: { join(...parts: string[]): string };
  readonly process: {
    readonly env: Readonly<Record<string, string | undefined>>;
    kill(pid: number, signal: 0): boolean;
  };
  readonly child_process: { spawn(command: string, options: SpawnOptions): Child };
}

/** The module of that name, or null where this device has no Node. */
export function node<Name extends keyof Modules>(name: Name): Modules[Name] | null {
  const load = (window as { require?: (name: string) => unknown }).require;
  return Platform.isDesktopApp && load !== undefined ? (load(name) as Modules[Name]) : null;
}
