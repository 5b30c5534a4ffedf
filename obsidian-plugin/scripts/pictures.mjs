// Takes the manual's pictures of the plugin: node scripts/pictures.mjs FOLDER
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import process from "node:process";
import { build } from "esbuild";

const made = "tests/browser/.pictures.mjs";
await build({ entryPoints: ["tests/browser/pictures.ts"], outfile: made, bundle: true, format: "esm", platform: "node", target: "node20", packages: "external", logLevel: "warning" });
try {
  execFileSync(process.execPath, [made, ...process.argv.slice(2)], { stdio: "inherit" });
} finally {
  rmSync(made, { force: true });
}
