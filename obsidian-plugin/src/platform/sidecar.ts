/** Runs the command that starts the sidecar, as it stands in the settings. Installs and downloads nothing. */

import type { App } from "obsidian";
import { Platform } from "obsidian";
import { node } from "./node";

const SOON_MS = 3_000;

/** The folder of the vault on this computer, or null where it has no path. */
export function vaultFolder(app: App): string | null {
  const adapter = app.vault.adapter as { getBasePath?: () => string };
  return Platform.isDesktopApp && typeof adapter.getBasePath === "function" ? adapter.getBasePath() : null;
}

/** The command with `{vault}` replaced by the quoted folder. */
export function commandLine(command: string, folder: string, windows: boolean): string {
  const quoted = windows ? `"${folder.replace(/"/g, "")}"` : `'${folder.replace(/'/g, "'\\''")}'`;
  return command.replace(/\{vault\}/g, () => quoted);
}

/** Runs it detached. Resolves with null, or with a sentence where it ended badly at once. */
export function startSidecar(command: string, folder: string, homeFolder: string): Promise<string | null> {
  const [processes, process] = [node("child_process"), node("process")];
  if (processes === null || process === null) {
    return Promise.resolve("Only a computer can start the sidecar. Start it where the daemon runs.");
  }
  const line = commandLine(command, folder, Platform.isWin);
  const env = homeFolder === "" ? process.env : { ...process.env, HOLOVAULT_HOME: homeFolder };
  return new Promise((resolve) => {
    const child = processes.spawn(line, { shell: true, detached: true, stdio: "ignore", windowsHide: true, env });
    child.on("error", (error) => resolve(`The command could not be run: ${error.message}. Look at it in the settings.`));
    child.on("exit", (code) => resolve(code === 0 ? null : ended(code)));
    child.unref();
    window.setTimeout(() => resolve(null), SOON_MS);
  });
}

function ended(code: number | null): string {
  const unknown = code === 127 || code === 9009;
  return unknown
    ? "The command was not found. Obsidian does not see your shell's PATH: write the whole path of holovault in the settings."
    : `The command ended with ${code === null ? "a signal" : `status ${code}`}. Run it in a terminal to see why.`;
}
