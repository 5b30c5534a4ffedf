import { builtinModules } from "node:module";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";

const ENTRY = join(import.meta.dirname, "..", "..", "src", "main.ts");

test("the built plugin loads where there is nothing of Node and asks for Obsidian alone", async () => {
  const made = await build({ entryPoints: [ENTRY], bundle: true, write: false, format: "cjs", platform: "browser", target: "es2020", minify: true, logLevel: "silent", external: ["obsidian", ...builtinModules.flatMap((name) => [name, `node:${name}`])] });
  const asked: string[] = [];
  const obsidian = new Proxy({}, { get: () => Object });
  const module: { exports: { default?: unknown } } = { exports: {} };
  const phone = createContext({
    module,
    exports: module.exports,
    require: (name: string) => {
      asked.push(name);
      return obsidian;
    },
  });
  runInContext(made.outputFiles[0]?.text ?? "", phone);
  expect(typeof module.exports.default).toBe("function");
  expect(asked.filter((name) => name !== "obsidian")).toEqual([]);
});
