// Writes src/core/protocol.ts from the wire's committed JSON Schema. `--check` writes nothing and fails where the file is out of date.
// Understands the part of JSON Schema that the schema uses and refuses anything else, so that no type is ever guessed.
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

const SCHEMA = fileURLToPath(new URL("../../tests/contract/wire.schema.json", import.meta.url));
const TARGET = fileURLToPath(new URL("../src/core/protocol.ts", import.meta.url));
const HEAD = `// Made by \`npm run protocol\` from tests/contract/wire.schema.json: change the Python model, never this file.
// A field with a default may be missing: a request leaves it to the daemon, and an older daemon does not know it.
`;
const SIMPLE = new Map([["string", "string"], ["integer", "number"], ["number", "number"], ["boolean", "boolean"], ["null", "null"]]);

/** The TypeScript type of one schema. */
function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" | ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type === "array") return arrayOf(schema);
  const simple = SIMPLE.get(schema.type);
  if (!simple) throw new Error(`No rule for the schema ${JSON.stringify(schema)}: teach scripts/protocol.mjs what it is in TypeScript.`);
  return simple;
}

function arrayOf(schema) {
  if (schema.prefixItems) return `readonly [${schema.prefixItems.map(typeOf).join(", ")}]`;
  const item = typeOf(schema.items);
  return `readonly ${/[| ]/.test(item) ? `(${item})` : item}[]`;
}

function comment(text) {
  const lines = (text ?? "").split("\n").map((line) => line.trim());
  return lines.length === 1 ? (lines[0] ? `/** ${lines[0]} */\n` : "") : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

function interfaceOf(name, schema) {
  if (schema.type !== "object") throw new Error(`${name} is no object: teach scripts/protocol.mjs what it is in TypeScript.`);
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties).map(([field, type]) => `  readonly ${field}${required.has(field) ? "" : "?"}: ${typeOf(type)};\n`);
  return `${comment(schema.description)}export interface ${name} {\n${fields.join("")}}\n`;
}

const definitions = JSON.parse(readFileSync(SCHEMA, "utf8")).$defs;
const made = [HEAD, ...Object.entries(definitions).map(([name, schema]) => interfaceOf(name, schema))].join("\n");

if (!process.argv.includes("--check")) {
  writeFileSync(TARGET, made);
} else if (readFileSync(TARGET, "utf8") !== made) {
  console.error("src/core/protocol.ts is not what tests/contract/wire.schema.json says: run npm run protocol and look at the difference.");
  process.exit(1);
}
