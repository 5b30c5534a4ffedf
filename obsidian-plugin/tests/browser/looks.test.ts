import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Look } from "./desk";
import { Desk } from "./desk";
import { openNote, run, runOnSelected, search } from "./hands";
import { NOTES } from "./notes";

let desk: Desk;

beforeAll(async () => {
  desk = await Desk.open(NOTES);
});
afterAll(() => desk.close());

const LOOKS: readonly (readonly [name: string, look: Look])[] = [
  ["220 pixels wide", { width: 220 }],
  ["from right to left in the dark", { dir: "rtl", context: { colorScheme: "dark" } }],
  ["at 200 %", { width: 300, context: { viewport: { width: 500, height: 360 }, deviceScaleFactor: 2 } }],
];

/** Elements of the pane that stick out of it sideways, or cut their own text. */
function outside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const pane = document.querySelector(".hv-pane");
    const box = pane?.getBoundingClientRect();
    return [...(pane?.querySelectorAll<HTMLElement>("*") ?? [])].flatMap((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      const out = width > 0 && (left < (box?.left ?? 0) - 1 || right > (box?.right ?? 0) + 1);
      return out || element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 && getComputedStyle(element).display !== "inline" && element.tagName !== "INPUT" ? [`${element.className} ${element.textContent.slice(0, 30)}`] : [];
    });
  });
}

test.each(LOOKS)("the panes keep inside their width %s", async (_name, look) => {
  const page = await desk.sit(look);
  await search(page, "harbour");
  expect(await outside(page)).toEqual([]);
  await page.context().close();
});

test("related notes follow the note, say why, hide what is linked and stay when pinned", async () => {
  const page = await desk.sit();
  await run(page, "related");
  await openNote(page, "People/Ove.md");
  const pane = page.locator(".hv-pane");
  const row = pane.locator(".hv-row", { hasText: "Log" }).first();
  await row.waitFor();
  expect(await pane.locator(".hv-section").allTextContents()).toContain("Linked");
  expect(await pane.locator(".hv-row-why").allTextContents()).toContain("linked both ways");
  await pane.getByRole("button", { name: "Hide linked" }).click();
  await pane.getByText(/\d hidden/).waitFor();
  await run(page, "pin");
  await pane.getByRole("button", { name: "Pin", pressed: true }).waitFor();
  await openNote(page, "Recipes/Fish soup.md");
  await expect.poll(() => pane.locator(".hv-title").first().textContent()).toBe("Ove");
  await pane.getByRole("button", { name: "Pin" }).click();
  await expect.poll(() => pane.locator(".hv-title").first().textContent()).toContain("Fish soup");
  await page.context().close();
});

test("what is related to a selection stays when the workspace is told of the pane, until the whole note is asked for", async () => {
  const page = await desk.sit();
  await openNote(page, "People/Ove.md");
  await runOnSelected(page, "related-selection", "the harbour");
  const title = page.locator(".hv-title");
  const pier = page.locator(".hv-row", { hasText: "The harbour has a new pier" });
  await expect.poll(() => title.textContent()).toBe("Ove › selection");
  writeFileSync(join(desk.vault, "Pier.md"), "The harbour has a new pier.\n");
  await pier.waitFor();
  expect(await title.textContent()).toBe("Ove › selection");
  await page.getByRole("button", { name: "Whole note" }).click();
  await expect.poll(() => title.textContent()).toBe("Ove");
  await page.context().close();
});

test("a note that is muted beside another leaves its rows, is counted, and comes back", async () => {
  const page = await desk.sit();
  await openNote(page, "Projects/Heron/Log.md");
  await run(page, "related");
  const plan = page.locator(".hv-row", { hasText: "heron project" });
  await expect.poll(() => plan.count()).toBe(2);
  await plan.first().click({ button: "right" });
  await page.getByRole("menuitem", { name: "Mute beside this note" }).dispatchEvent("click");
  await page.locator(".hv-live", { hasText: /\. 2 hidden/ }).waitFor();
  expect(await plan.count()).toBe(0);
  await openNote(page, "People/Anna Berg.md");
  await expect.poll(() => plan.count()).toBe(2);
  await openNote(page, "Projects/Heron/Log.md");
  await page.getByRole("button", { name: "Unmute all" }).click();
  await expect.poll(() => plan.count()).toBe(2);
  expect(await page.locator(".hv-live").textContent()).not.toContain("hidden");
  await page.context().close();
});

test("the facts of a note are corrected, voted on and forgotten beside it", async () => {
  const page = await desk.sit();
  await openNote(page, "Memory/Facts/Home.md");
  await run(page, "related");
  await page.setViewportSize({ width: 1000, height: 400 });
  await page.getByText("Facts in this note (2)").click();
  await page.locator(".hv-fact-text", { hasText: /^Anna has the spare key$/ }).waitFor();
  const heights = await page.evaluate(() => [".hv-facts", ".hv-pane"].map((name) => document.querySelector(name)?.clientHeight ?? 0));
  expect(heights[0]).toBeLessThanOrEqual((heights[1] ?? 0) / 2);
  expect(await outside(page)).toEqual([]);
  const fact = page.locator("[data-fact=boil]");
  await fact.getByRole("button", { name: "Helpful", exact: true }).click();
  await page.locator(".notice", { hasText: "Trust is 0.55 now." }).waitFor();
  await fact.getByRole("button", { name: "Edit" }).click();
  await fact.getByRole("textbox").fill("The boiler is serviced every March");
  await fact.getByRole("button", { name: "Save" }).click();
  await fact.getByText("every March").waitFor();
  await fact.getByRole("button", { name: "Forget" }).click();
  await fact.getByRole("button", { name: "Remove its line?" }).click();
  await page.getByText("Facts in this note (1)").waitFor();
  await page.context().close();
});

test("without a daemon the pane says so and what to do, and gives no notice", async () => {
  const page = await desk.sit({ data: { homeFolder: "/nowhere" } });
  await run(page, "search");
  const state = page.locator(".hv-state");
  await state.getByText("No daemon").waitFor();
  await state.getByRole("button", { name: "Start the sidecar" }).waitFor();
  expect(await page.locator(".notice").count()).toBe(0);
  await expect.poll(() => page.locator("#status").textContent()).toContain("No daemon");
  await page.context().close();
});
