// The house rules that a machine can check without the linter.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";

const SOURCES = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

function read(path: string): string {
  return readFileSync(path, "utf8");
}

function json(path: string): Record<string, unknown> {
  return JSON.parse(read(path)) as Record<string, unknown>;
}

test("the types of the wire are the ones that the Python model commits to", () => {
  execFileSync(process.execPath, ["scripts/protocol.mjs", "--check"], { stdio: "pipe" });
});

test("the core imports nothing but itself", () => {
  const core = SOURCES.filter((name) => /^core[\\/]/.test(name));
  expect(core.length).toBeGreaterThan(20);
  const imports = core.flatMap((name) => [...read(`src/${name}`).matchAll(/\bfrom "([^"]+)"|\bimport\("([^"]+)"|\brequire\(/g)].map((found) => found[1] ?? found[0]));
  expect(imports.filter((name) => !/^\.\.?\//.test(name))).toEqual([]);
});

const FORBIDDEN = /(?:[:<|,=]|\bas)\s*any\b(?!["'\s]\w)|@ts-|eslint-disable|innerHTML|outerHTML|insertAdjacentHTML|console\.log|\bfetch\(|\beval\(|new Function|\.obsidian\b/;

test("no source has what Obsidian's review refuses", () => {
  const guilty = SOURCES.filter((name) => code(read(`src/${name}`)).some((line) => FORBIDDEN.test(line)));
  expect(guilty).toEqual([]);
});

test.each(["let x: any;", "a.innerHTML = b", "// @ts-ignore", "fetch(url)", "console.log(1)", 'path = ".obsidian/x"'])("the scan sees %s", (line) => {
  expect(FORBIDDEN.test(line)).toBe(true);
});

test("manifest, versions, package and licence fit together", () => {
  const manifest = json("manifest.json");
  expect(Object.keys(manifest).sort()).toEqual(["author", "description", "id", "isDesktopOnly", "minAppVersion", "name", "version"]);
  expect(manifest).toMatchObject({ id: "holovault", isDesktopOnly: false, version: json("package.json")["version"] });
  expect(json("versions.json")).toHaveProperty([String(manifest["version"])], manifest["minAppVersion"]);
  expect(String(manifest["description"])).toMatch(/^[A-Z][A-Za-z0-9 .,!?'"-]{9,248}\.$/);
  expect(read("LICENSE")).toBe(read("../LICENSE"));
});

test("the lock file names no registry", () => {
  expect(read("package-lock.json")).not.toMatch(/"resolved"|https?:\/\/[^"]*registry/);
});

function code(text: string): readonly string[] {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .split("\n")
    .map((line) => line.replace(/\s\/\/ (?!@ts-|eslint-disable).*/, ""));
}
