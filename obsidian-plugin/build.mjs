// Builds main.js, the one file of code that Obsidian loads. `--watch` builds again after every change.
import { statSync } from "node:fs";
import { builtinModules } from "node:module";
import process from "node:process";
import { context } from "esbuild";

const LIMIT = 150_000;
const watch = process.argv.includes("--watch");

const builder = await context({
  entryPoints: ["src/main.ts"],
  outfile: "main.js",
  bundle: true,
  format: "cjs",
  platform: "browser",
  target: "es2020",
  minify: !watch,
  sourcemap: watch ? "inline" : false,
  treeShaking: true,
  legalComments: "none",
  logLevel: "info",
  external: ["obsidian", "electron", "@codemirror/*", "@lezer/*", ...builtinModules.flatMap((name) => [name, `node:${name}`])],
});

if (watch) {
  await builder.watch();
} else {
  await builder.rebuild();
  await builder.dispose();
  const { size } = statSync("main.js");
  if (size >= LIMIT) {
    throw new Error(`main.js has ${size} bytes; a plugin that loads at once has fewer than ${LIMIT}.`);
  }
}
