import { expect, test } from "vitest";
import { discover, folderName, homeOf, readRunFile } from "../../src/core/discovery";
import type { Disk, Identity } from "../../src/core/ports";

const RUN = {
  key: "abc",
  port: 4711,
  pid: 1,
  version: "1",
  protocol: 1,
  boot_id: "b",
  vault: "/v",
  device: 1,
  inode: 2,
  owner: "daemon",
  since: "2026-01-01T00:00:00+00:00",
  token: "t",
};

function disk(runs: readonly object[], here: Identity | null): Disk {
  return {
    home: () => "/home/ada",
    join: (...parts) => parts.join("/"),
    list: () => Promise.resolve(["start-abc.log", ".abc.json.1.tmp", ...runs.map((_, index) => `${index}.json`)]),
    read: (path) => Promise.resolve(JSON.stringify(runs[Number(/(\d+)\.json$/.exec(path)?.[1])])),
    identify: () => Promise.resolve(here),
    alive: () => true,
  };
}

async function isFound(run: object, vault: string, here: Identity | null): Promise<boolean> {
  return (await discover(disk([{ ...RUN, ...run }], here), "", vault)).mine.length === 1;
}

test.each([
  ["the same folder under another name", { vault: "/mnt/notes" }, "/v", { real: "/v", device: "1", inode: "2" }, true],
  ["another folder of the same number on another disk", { vault: "/w" }, "/v", { real: "/v", device: "9", inode: "2" }, false],
  ["a network drive that numbers nothing", { vault: "/w", inode: 0 }, "/v", { real: "/v", device: "1", inode: "0" }, false],
  ["the path alone", { vault: "/v/", inode: 7 }, "/v", null, true],
  ["a name in two forms of Unicode", { vault: "/Дневник\u0438\u0306", inode: 7 }, "/Дневник\u0439", null, true],
  ["Windows paths in two spellings", { vault: "C:\\Users\\Ada\\Notes" }, "c:/users/ada/notes/", null, true],
  ["a long Windows path", { vault: "\\\\?\\C:\\Notes" }, "C:\\Notes", null, true],
  ["a share", { vault: "\\\\?\\UNC\\server\\Notes" }, "\\\\server\\notes", null, true],
  ["names that differ in case where case counts", { vault: "/notes" }, "/Notes", null, false],
])("%s", async (_, run, vault, here, found) => {
  expect(await isFound(run, vault, here)).toBe(found);
});

test("an inode beyond what a number holds is not confused with its neighbour", () => {
  const text = JSON.stringify(RUN).replace('"inode":2', '"inode":18446744073709551615');
  expect(readRunFile(text)?.inode).toBe("18446744073709551615");
  expect(readRunFile(JSON.stringify({ ...RUN, vault: '/x","inode":7' }))?.inode).toBe("2");
});

test.each(["", "[]", "{}", "{", JSON.stringify({ ...RUN, token: 5 }), JSON.stringify({ ...RUN, inode: "2" })])("%j is no run file", (text) => {
  expect(readRunFile(text)).toBeNull();
});

test("the home folder is the standard one, one of its own, or one below the person's", () => {
  const one = disk([], null);
  expect(homeOf(one, " ")).toBe("/home/ada/.holovault");
  expect(homeOf(one, "/srv/hv")).toBe("/srv/hv");
  expect(homeOf(one, "~/hv")).toBe("/home/ada//hv");
});

test("a folder's name is the last part of a path of any system", () => {
  expect(["/home/ada/Notes/", "C:\\Users\\Notes", "Notes"].map(folderName)).toEqual(["Notes", "Notes", "Notes"]);
});
