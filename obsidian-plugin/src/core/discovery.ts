/** Finding this vault's daemon among the run files of this computer. Must not ask anybody whether it answers. */

import type { Disk, Identity } from "./ports";
import { objectIn } from "./problems";

/** What the owner of an index says of itself. `port` is null before it answers, and for one that never will. */
export interface RunFile {
  readonly port: number | null;
  readonly pid: number;
  readonly version: string;
  readonly bootId: string;
  readonly vault: string;
  readonly device: string;
  readonly inode: string;
  readonly owner: string;
  readonly since: string;
  readonly token: string;
}

export interface Found {
  /** Owners of this vault's index, the latest first. Dead ones may be among those with a port: only an answer tells. */
  readonly mine: readonly RunFile[];
  /** Folder names of other vaults with an owner. */
  readonly others: readonly string[];
}

/** The run file that a text is, or null where it is none of ours. */
export function readRunFile(text: string): RunFile | null {
  const body = objectIn(text);
  if (body === null) {
    return null;
  }
  const { port, pid, version, boot_id: bootId, vault, owner, since, token } = body;
  const words = [version, bootId, vault, owner, since, token];
  // An inode may be larger than any number that JSON.parse keeps exactly.
  const device = /"device":\s*(\d+)/.exec(text)?.[1];
  const inode = /"inode":\s*(\d+)/.exec(text)?.[1];
  if (!words.every((word) => typeof word === "string") || typeof pid !== "number" || device === undefined || inode === undefined) {
    return null;
  }
  const [theVersion, theBoot, theVault, theOwner, theSince, theToken] = words as [string, string, string, string, string, string];
  return {
    port: typeof port === "number" ? port : null,
    pid,
    version: theVersion,
    bootId: theBoot,
    vault: theVault,
    device,
    inode,
    owner: theOwner,
    since: theSince,
    token: theToken,
  };
}

/** The owners of the vault at `vaultPath`, from `<home>/run/*.json`; `home` "" is ~/.holovault. */
export async function discover(disk: Disk, home: string, vaultPath: string): Promise<Found> {
  const folder = disk.join(homeOf(disk, home), "run");
  const names = (await disk.list(folder)).filter((name) => /^[0-9a-z]+\.json$/i.test(name)).sort();
  const texts = await Promise.all(names.map((name) => disk.read(disk.join(folder, name))));
  const runs = texts.map((text) => text && readRunFile(text)).filter((run) => run instanceof Object);
  const here = await disk.identify(vaultPath);
  // Where it lives decides nothing about an owner with a port: its id may be another program's by now.
  const live = runs.filter((run) => run.port !== null || disk.alive(run.pid));
  const mine = live.filter((run) => isSame(run, vaultPath, here)).sort((one, other) => (one.since < other.since ? 1 : -1));
  const others = live.filter((run) => !mine.includes(run) && disk.alive(run.pid)).map((run) => folderName(run.vault));
  return { mine, others: [...new Set(others)] };
}

/** The folder that the setting means, with `~` for the person's own. */
export function homeOf(disk: Disk, setting: string): string {
  const given = setting.trim();
  if (given === "") {
    return disk.join(disk.home(), ".holovault");
  }
  return /^~(?:$|[\\/])/.test(given) ? disk.join(disk.home(), given.slice(1)) : given;
}

/** The last part of a path of any system. */
export function folderName(path: string): string {
  const parts = path.split(/[\\/]+/).filter((part) => part !== "");
  return parts.at(-1) ?? path;
}

function isSame(run: RunFile, path: string, here: Identity | null): boolean {
  if (here === null) {
    return comparable(run.vault) === comparable(path);
  }
  // Some network drives report inode 0 for everything.
  const same = here.inode !== "0" && here.inode === run.inode && here.device === run.device;
  return same || comparable(run.vault) === comparable(here.real);
}

/** Windows writes one path in several ways. */
function comparable(path: string): string {
  const short = path.normalize("NFC").replace(/^\\\\\?\\UNC\\/i, "\\\\").replace(/^\\\\\?\\/, "");
  const plain = short.replace(/\\/g, "/").replace(/(.)\/+$/, "$1");
  return /^[a-z]:/i.test(plain) || path.startsWith("\\\\") ? plain.toLowerCase() : plain;
}
