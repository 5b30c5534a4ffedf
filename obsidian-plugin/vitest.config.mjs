import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const mocks = fileURLToPath(new URL("node_modules/obsidian-test-mocks/dist/lib/esm/obsidian/index.mjs", import.meta.url));

export default defineConfig({
  test: {
    projects: [
      { test: { name: "core", environment: "node", include: ["tests/core/**/*.test.ts"] } },
      {
        test: {
          name: "contract",
          environment: "node",
          include: ["tests/contract/**/*.test.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "browser",
          environment: "node",
          include: ["tests/browser/**/*.test.ts"],
          expect: { poll: { timeout: 20_000 } },
          testTimeout: 30_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        resolve: { alias: { obsidian: mocks } },
        test: {
          name: "ui",
          environment: "jsdom",
          include: ["tests/ui/**/*.test.ts"],
          setupFiles: ["tests/support/obsidian.ts"],
          server: { deps: { inline: ["obsidian-test-mocks"] } },
        },
      },
    ],
  },
});
