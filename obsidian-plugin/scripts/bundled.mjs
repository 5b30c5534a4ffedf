// Runs a TypeScript file of tests/browser with Node: node scripts/bundled.mjs NAME [argument …]
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import process from "node:process";
import { build } from "esbuild";

const [name, ...given] = process.argv.slice(2);
const made = `tests/browser/.${name}.mjs`;
await build({ entryPoints: [`tests/browser/${name}.ts`], outfile: made, bundle: true, format: "esm", platform: "node", target: "node20", packages: "external", logLevel: "warning" });
try {
  process.exitCode = spawnSync(process.execPath, [made, ...given], { stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(made, { force: true });
}
