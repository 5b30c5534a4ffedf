import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Desk } from "./desk";
import { hold, openNote, run, search, tabs } from "./hands";
import { NOTES } from "./notes";

let desk: Desk;
let page: Page;

beforeAll(async () => {
  desk = await Desk.open(NOTES);
});
afterAll(() => desk.close());
afterEach(async () => {
  desk.twist = null;
  expect(desk.requests.filter((line) => line.startsWith("page error"))).toEqual([]);
  await page.context().close();
});

type Body = Record<string, unknown>;
const of = (route: string, change: (body: Body) => Body) => (path: string, body: Body) => (path === route ? { ...body, ...change(body) } : body);
const right = () => hold(page, desk.address().token);

interface State {
  readonly kind: string;
  readonly title: string;
  readonly next: string | null;
  readonly begin: () => void | Promise<void>;
}

const STATES: readonly State[] = [
  { kind: "unauthorised", title: "The token is not right", next: "Open settings", begin: () => hold(page, "another") },
  { kind: "newer-daemon", title: "This plugin is too old", next: "Try again", begin: () => void (desk.twist = of("/v1/health", () => ({ protocol: 2 }))) },
  { kind: "older-daemon", title: "The daemon is too old", next: "Try again", begin: () => void (desk.twist = of("/v1/health", () => ({ protocol: 0 }))) },
  { kind: "wrong-vault", title: "Another vault answers", next: "Open settings", begin: () => void (desk.twist = of("/v1/status", () => ({ vault: "/elsewhere/Recipes" }))) },
  { kind: "indexing", title: "Indexing 12 of 340 notes", next: null, begin: () => void (desk.twist = of("/v1/status", () => ({ state: "indexing", done: 12, total: 340 }))) },
  {
    kind: "embedder-missing",
    title: "Words only",
    next: "Copy diagnostics",
    begin: () => void (desk.twist = of("/v1/status", ({ model }) => ({ model: { ...(model as Body), state: "failed", reason: "its file is gone" } }))),
  },
];

test("each state of the daemon has its own title and next step, and the rows stay", async () => {
  page = await desk.sit({ ready: false, data: { connect: "url", url: desk.address().url, vaultName: "Notebook" } });
  await right();
  await page.evaluate(() => (window as unknown as { app: { workspace: { ready(): void } } }).app.workspace.ready());
  await search(page, "SQLite sensors");
  await page.locator(".hv-live", { hasText: /^\d+ results?$/ }).waitFor();
  const rows = await page.locator(".hv-row").allTextContents();
  for (const { kind, title, next, begin } of STATES) {
    await begin();
    await run(page, "reconnect");
    const box = page.locator(`.hv-state.is-shown[data-kind="${kind}"]`);
    await box.getByText(title, { exact: true }).waitFor();
    expect(await box.getByRole("button").allTextContents()).toEqual(next === null ? [] : [next]);
    expect(await page.locator(".hv-row").allTextContents()).toEqual(rows);
    desk.twist = null;
    await right();
    await run(page, "reconnect");
    await box.waitFor({ state: "hidden" });
  }
  expect(await page.locator(".notice").count()).toBeLessThan(2);
});

test("keys of the list: Escape, menu, tray, all links, and no answer to an input method's Enter", async () => {
  page = await desk.sit();
  await openNote(page, "People/Ove.md");
  const area = page.locator(".note-source");
  await area.fill("");
  await search(page, "harbour");
  await page.locator(".hv-live", { hasText: /^\d+ results$/ }).waitFor();
  const field = page.getByRole("combobox");
  await field.evaluate((element) => element.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true, isComposing: true })));
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Collect for a chat" }).waitFor();
  expect(await tabs(page)).toBe(1);
  await page.getByRole("menuitem", { name: "Collect for a chat" }).click();
  await page.getByText("1 collected").waitFor();
  const second = page.locator(".hv-row").nth(1);
  await field.press("ArrowDown");
  await second.focus();
  await page.keyboard.press("Space");
  await page.getByText("2 collected").waitFor();
  await field.press("Alt+Shift+Enter");
  const links = (await area.inputValue()).match(/\[\[/g);
  expect(links?.length).toBe(await page.locator(".hv-row").count());
  await field.press("Escape");
  expect(await area.evaluate((element) => element === document.activeElement)).toBe(true);
});
