/** What may not be in the source at all, shown on bad samples first. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const SOURCE = join(import.meta.dirname, "..", "..", "src");
const BANNED: Readonly<Record<string, RegExp>> = {
  "HTML from text": /\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write)\b/,
  "fetch and sockets": /\b(?:fetch|XMLHttpRequest|WebSocket|EventSource)\s*\(/,
  console: /\bconsole\s*\./,
  "inline style": /\.style\b|createEl\(\s*["']style/,
  eval: /\beval\s*\(|new Function\b/,
  "Node at load": /^import .* from ["'](?:node:|fs|path|os|child_process|electron)/m,
  "Obsidian's folder by name": /["'`]\.obsidian/,
  "default hotkeys": /\bhotkeys\s*:/,
  "writing notes": /\bvault\.(?:modify|process|create|delete|append|trash)\b/,
};
const BAD: Readonly<Record<string, string>> = {
  "HTML from text": "el.innerHTML = text",
  "fetch and sockets": "await fetch(url)",
  console: "console.log(1)",
  "inline style": "el.style.color = 'red'",
  eval: "new Function('x')",
  "Node at load": 'import fs from "fs"',
  "Obsidian's folder by name": 'read(".obsidian/app.json")',
  "default hotkeys": "hotkeys: []",
  "writing notes": "app.vault.modify(file, text)",
};

function found(text: string): string[] {
  return Object.entries(BANNED).flatMap(([name, pattern]) => (pattern.test(text) ? [name] : []));
}

const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

it.each(Object.entries(BAD))("the scan sees %s", (name, sample) => {
  expect(found(sample)).toContain(name);
});

it.each(files)("%s has nothing of it", (name) => {
  expect(found(readFileSync(join(SOURCE, name), "utf8"))).toEqual([]);
});

it("the style sheet has no colours of its own, no side but start and end, and only our classes", () => {
  const css = readFileSync(join(SOURCE, "..", "styles.css"), "utf8");
  expect(css).not.toMatch(/#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/i);
  expect(css).not.toMatch(/\b(?:margin|padding|border|inset)-(?:left|right)\b|^\s*(?:left|right)\s*:|text-align:\s*(?:left|right)|!important/m);
  const classes = [...css.replace(/\/\*.*?\*\//gs, "").matchAll(/\.(-?[a-z][\w-]*)/gi)].map(([, name = ""]) => name);
  expect(classes.filter((name) => !/^(?:hv-|is-|in-tray$|tag$|search-input-container$)/.test(name))).toEqual([]);
});
