import { App } from "obsidian";
import { expect, it } from "vitest";
import { fileAt } from "../../src/platform/opening";
import { moveMutes, mutesOf } from "../../src/platform/sources";

interface Mocked {
  createConfigured__(options: { files: Readonly<Record<string, string>> }): { asOriginalType__(): App };
}

function appWith(...paths: readonly string[]): App {
  return (App as unknown as Mocked).createConfigured__({ files: Object.fromEntries(paths.map((path) => [path, "text"])) }).asOriginalType__();
}

it.each(["C# notes.md", "a#b.md", "100%.md", "🚂 night.md", "Projects/a b.md"])("a note called %s is found by its path", (path) => {
  expect(fileAt(appWith(path), path)?.path).toBe(path);
});

it("a note that is gone is not taken for one of the same name elsewhere, and none is made", () => {
  const app = appWith("Archive/plan.md");
  expect(fileAt(app, "plan.md")).toBeNull();
  expect(app.vault.getFiles().map(({ path }) => path)).toEqual(["Archive/plan.md"]);
});

it("a name that macOS wrote in parts is found by the path that the daemon says", () => {
  const [daemon, disk] = ["й.md".normalize("NFC"), "й.md".normalize("NFD")];
  const app = appWith(disk);
  const [file] = app.vault.getFiles();
  // Obsidian's own index of links knows both ways to write it.
  Object.assign(app.metadataCache, { getFirstLinkpathDest: () => file });
  expect(fileAt(app, daemon)).toBe(file);
});

it("what is muted beside a note stays muted after notes and folders were renamed", () => {
  const app = appWith();
  mutesOf(app).set("Old/a.md", ["Old/b.md", "Older/c.md"]);
  moveMutes(app, "Old", "New");
  expect(mutesOf(app).of("New/a.md")).toEqual(["New/b.md", "Older/c.md"]);
  expect(mutesOf(app).of("Old/a.md")).toEqual([]);
  moveMutes(app, "New/b.md", "New/d.md");
  expect(mutesOf(app).of("New/a.md")).toEqual(["New/d.md", "Older/c.md"]);
});
