import obsidianmd from "eslint-plugin-obsidianmd";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

const core = "The core runs without Obsidian, Electron and Node: collaborators are handed in.";

export default defineConfig([
  globalIgnores(["main.js", "node_modules", "src/core/protocol.ts", "tests/browser/.*.mjs"]),
  ...obsidianmd.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "max-lines": ["error", 400],
      "max-lines-per-function": ["error", { max: 50, skipComments: true }],
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ["src/core/**/*.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        { patterns: [{ group: ["obsidian", "electron", "node:*", "fs", "path", "os", "crypto", "child_process", "http"], message: core }] },
      ],
      "no-restricted-globals": ["error", ...["window", "document", "activeWindow", "activeDocument", "fetch", "setTimeout", "setInterval", "process", "require"].map((name) => ({ name, message: core }))],
    },
  },
  {
    // What runs on a developer's machine only.
    files: ["tests/**/*.ts", "*.mjs", "scripts/*.mjs"],
    rules: {
      "max-lines-per-function": "off",
      "obsidianmd/no-nodejs-modules": "off",
      "obsidianmd/prefer-window-timers": "off",
      "obsidianmd/hardcoded-config-path": "off",
      "no-restricted-globals": "off",
      "no-undef": "off",
    },
  },
  {
    // Stands in for Obsidian itself, which has no Obsidian to lean on.
    files: ["tests/browser/**/*.ts"],
    rules: {
      "obsidianmd/prefer-create-el": "off",
      "obsidianmd/no-static-styles-assignment": "off",
      "obsidianmd/no-global-this": "off",
      "obsidianmd/prefer-active-doc": "off",
      "obsidianmd/prefer-instanceof": "off",
    },
  },
]);
