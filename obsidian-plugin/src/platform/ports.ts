/** What the core is handed: Obsidian's request, the window's timers and WebCrypto, and on a desktop the disk outside the vault. */

import { requestUrl } from "obsidian";
import type { Disk, Identity, Ports, Request, Timers } from "../core/ports";
import { node } from "./node";

const request: Request = async ({ url, method, headers, body }) => {
  const answer = await requestUrl({ url, method, headers: { ...headers }, throw: false, ...(body === undefined ? {} : { body }) });
  return { status: answer.status, text: answer.text };
};

export const timers: Timers = {
  now: () => Date.now(),
  after: (ms, run) => {
    const number = window.setTimeout(run, ms);
    return () => window.clearTimeout(number);
  },
};

export function ports(): Ports {
  return { request, timers, disk: disk(), crypto: window.crypto };
}

/** The disk, or null where this device shows none. Only reads. */
export function disk(): Disk | null {
  const [fs, os, path, process] = [node("fs"), node("os"), node("path"), node("process")];
  if (fs === null || os === null || path === null || process === null) {
    return null;
  }
  return {
    home: () => os.homedir(),
    join: (...parts) => path.join(...parts),
    list: (folder) => fs.promises.readdir(folder).catch(() => []),
    read: (file) => fs.promises.readFile(file, "utf8").catch(() => null),
    identify: async (place): Promise<Identity | null> => {
      try {
        const [real, found] = [await fs.promises.realpath(place), await fs.promises.stat(place, { bigint: true })];
        return { real, device: String(found.dev), inode: String(found.ino) };
      } catch {
        return null;
      }
    },
    alive: (pid) => {
      try {
        return process.kill(pid, 0);
      } catch (error) {
        // A process of somebody else exists, too.
        return (error as { code?: string }).code === "EPERM";
      }
    },
  };
}
