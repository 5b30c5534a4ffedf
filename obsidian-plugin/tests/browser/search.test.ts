import { dirname } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Desk } from "./desk";
import { clipboard, hold, hovers, mode, offers, openNote, openSettings, read, rewrite, run, runOn, search, tabs } from "./hands";
import { NOTES } from "./notes";
import { STATES } from "./states";

const PLAN = "Projects/Heron/Plan.md";
const CLIPBOARD = { permissions: ["clipboard-read", "clipboard-write"] };

let desk: Desk;
let page: Page;

beforeAll(async () => {
  desk = await Desk.open(NOTES);
});
afterAll(() => desk.close());
beforeEach(() => {
  desk.requests.length = 0;
  desk.twist = null;
  return async () => {
    expect(desk.requests.filter((line) => line.startsWith("page error"))).toEqual([]);
    await page.context().close();
  };
});

test("nothing is sent before the layout is ready, and then words are found as they are typed", async () => {
  page = await desk.sit({ ready: false });
  expect(desk.requests).toEqual([]);
  await page.evaluate(() => (window as unknown as { app: { workspace: { ready(): void } } }).app.workspace.ready());
  await page.getByRole("button", { name: "Holovault search", exact: true }).click();
  await page.getByRole("combobox").pressSequentially("lighthouse keeper");
  const row = page.locator(".hv-row").first();
  await row.waitFor();
  expect(await row.locator("mark").allTextContents()).toContain("lighthouse");
  expect(await row.locator("mark").first().isVisible()).toBe(true);
  await page.locator(".hv-live", { hasText: /^1 result$/ }).waitFor();
  await page.keyboard.press("Enter");
  const flash = page.locator(".is-flashing");
  await flash.first().waitFor();
  expect(await flash.allTextContents()).toEqual(["The lighthouse keeper radioed at midnight: the eastern breakwater is gone.", "[[Ove]] tied up the boats."]);
});

test("keys move, and open in a tab, a split and behind; the middle button opens a tab", async () => {
  page = await desk.sit();
  await openNote(page, PLAN);
  await search(page, "harbour");
  const rows = page.locator(".hv-row");
  await expect.poll(() => rows.count()).toBeGreaterThan(2);
  await page.keyboard.press("ArrowDown");
  expect(await rows.nth(1).getAttribute("aria-selected")).toBe("true");
  expect(await page.getByRole("combobox").getAttribute("aria-activedescendant")).toBe(await rows.nth(1).getAttribute("id"));
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => tabs(page)).toBe(2);
  await page.keyboard.press("Control+Alt+Enter");
  await expect.poll(() => tabs(page)).toBe(3);
  const before = await page.evaluate(() => (window as unknown as { app: { workspace: { getActiveFile(): { path: string } } } }).app.workspace.getActiveFile().path);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Control+Shift+Enter");
  await expect.poll(() => tabs(page)).toBe(4);
  expect(await page.evaluate(() => (window as unknown as { app: { workspace: { getActiveFile(): { path: string } } } }).app.workspace.getActiveFile().path)).toBe(before);
  await rows.first().click({ button: "middle" });
  await expect.poll(() => tabs(page)).toBe(5);
});

test("a passage is found where it stands now, below thirty new lines", async () => {
  page = await desk.sit();
  await rewrite(page, PLAN, `${"New line.\n".repeat(30)}${NOTES[PLAN] ?? ""}`);
  await search(page, "SQLite sensors");
  await page.keyboard.press("Enter");
  await page.locator(".is-flashing").first().waitFor();
  expect(await page.locator(".is-flashing").first().getAttribute("data-line")).toBe("36");
});

test("in reading view a passage's section comes into sight and flashes, and the note stays in reading view", async () => {
  page = await desk.sit();
  await openNote(page, "Projects/Heron/Log.md");
  await read(page);
  await search(page, "lighthouse keeper");
  const wanted = page.locator(".markdown-preview-view p", { hasText: "lighthouse keeper" });
  const inSight = () => wanted.evaluate((section) => section.getBoundingClientRect().bottom < window.innerHeight);
  expect(await inSight()).toBe(false);
  await page.keyboard.press("Enter");
  const flash = page.locator(".is-flashing");
  await flash.waitFor();
  expect(await flash.allTextContents()).toEqual(await wanted.allTextContents());
  expect([await inSight(), await mode(page)]).toEqual([true, "preview"]);
  await search(page, "SQLite sensors");
  await page.locator(".hv-row", { hasText: "kept in SQLite" }).waitFor();
  await page.keyboard.press("Enter");
  await flash.filter({ hasText: "kept in SQLite" }).waitFor();
  expect([await mode(page), await tabs(page)]).toEqual(["preview", 1]);
});

test("links are inserted at the cursor of the last note and dragged into it", async () => {
  page = await desk.sit();
  await openNote(page, "People/Ove.md");
  const area = page.locator(".note-source");
  await area.fill("See ");
  await search(page, "SQLite sensors");
  await page.keyboard.press("Alt+Enter");
  expect(await area.inputValue()).toBe("See [[Plan#Storage]]");
  await area.fill("");
  await page.locator(".hv-row").first().dragTo(area);
  expect(await area.inputValue()).toContain("[[Plan#Storage]]");
});

test("hovering asks core's Page preview to show the passage", async () => {
  page = await desk.sit();
  await search(page, "SQLite sensors");
  await page.locator(".hv-row").first().hover();
  await expect.poll(() => hovers(page)).toEqual([{ source: "holovault", linktext: "Projects/Heron/Plan#Storage", state: { scroll: 6 } }]);
});

test("the menu copies an address, and the tray copies passages for a chat", async () => {
  page = await desk.sit({ context: CLIPBOARD });
  await search(page, "SQLite sensors");
  const row = page.locator(".hv-row").first();
  await row.click({ button: "right" });
  await page.getByRole("menuitem", { name: "Copy path and lines" }).click();
  await page.locator(".notice", { hasText: "Path and lines copied." }).waitFor();
  expect(await clipboard(page)).toMatch(/^Projects\/Heron\/Plan\.md:\d+-\d+$/);
  await page.getByRole("combobox").press("Shift+Enter");
  await page.getByText("1 collected").waitFor();
  await page.getByRole("button", { name: "Copy for a chat" }).click();
  await page.locator(".notice", { hasText: "paste it into a chat" }).waitFor();
  const text = await clipboard(page);
  expect(text).toContain("Question: SQLite sensors");
  expect(text).toContain("The readings of the harbour sensors are kept in SQLite");
  expect(await offers(page, "clear-tray")).toBe(true);
  await page.getByRole("button", { name: /^Take out Plan/ }).click();
  await expect.poll(() => page.locator(".hv-tray.is-shown").count()).toBe(0);
  expect(await offers(page, "clear-tray")).toBe(false);
});

test("filters are suggested by name and by this vault's folders, and searches made before come back", async () => {
  page = await desk.sit();
  await run(page, "search");
  const field = page.getByRole("combobox");
  await field.pressSequentially("fold");
  await page.keyboard.press("Tab");
  expect(await field.inputValue()).toBe("folder:");
  await field.pressSequentially("Rec");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  expect(await field.inputValue()).toBe("folder:Recipes ");
  await field.pressSequentially("harbour");
  await page.locator(".hv-row", { hasText: "Fish soup" }).waitFor();
  await page.keyboard.press("Enter");
  await field.fill("");
  await page.keyboard.press("ArrowDown");
  await page.getByRole("option", { name: "folder:Recipes harbour" }).waitFor();
});

test("what the index does not have says so, and a window over the notes closes once something was opened", async () => {
  page = await desk.sit();
  await run(page, "search");
  await page.getByRole("combobox").fill("qwertzuiopasdf");
  await page.locator('.hv-state[data-kind="no-results"]').waitFor();
  expect(await page.getByText("Nothing found").count()).toBe(1);
  await run(page, "quick");
  const quick = page.getByRole("dialog");
  await quick.getByRole("combobox").pressSequentially("поездом ночью");
  await quick.locator(".hv-row", { hasText: "Ночной поезд" }).waitFor();
  await page.keyboard.press("Enter");
  await quick.waitFor({ state: "detached" });
  await page.locator(".is-flashing", { hasText: "Поездом ночью" }).waitFor();
});

test("each state of the daemon has its own title and next step, and the rows stay", async () => {
  const { url, token } = desk.address();
  page = await desk.sit({ ready: false, data: { connect: "url", url, vaultName: "Notebook" } });
  await hold(page, token);
  await page.evaluate(() => (window as unknown as { app: { workspace: { ready(): void } } }).app.workspace.ready());
  await search(page, "SQLite sensors");
  await page.locator(".hv-live", { hasText: /^\d+ results?$/ }).waitFor();
  const rows = await page.locator(".hv-row").allTextContents();
  for (const { kind, title, next, begin } of STATES) {
    await begin(desk, page);
    await run(page, "reconnect");
    const box = page.locator(`.hv-state.is-shown[data-kind="${kind}"]`);
    await box.getByText(title, { exact: true }).waitFor();
    expect(await box.getByRole("button").allTextContents()).toEqual(next === null ? [] : [next]);
    expect(await page.locator(".hv-row").allTextContents()).toEqual(rows);
    desk.twist = null;
    await hold(page, token);
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

test("a selection becomes a fact, and the settings say who answers", async () => {
  page = await desk.sit();
  await runOn(page, "remember", "The harbour has nine boats");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Remember" }).click();
  await page.locator(".notice", { hasText: "Remembered in Memory/Facts/" }).waitFor();
  await openSettings(page);
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByText("found by words").waitFor();
  expect(await page.getByText("Name of the vault there").count()).toBe(0);
  await page.locator("select").first().selectOption("url");
  await page.getByText("Name of the vault there").waitFor();
  const address = page.getByPlaceholder("https://notes.example.org");
  await address.pressSequentially("ftp://x");
  await page.getByText("An address begins with https:// or http://").waitFor();
  expect(await address.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.locator('input[type="password"]').fill(" secret ");
  const held = await page.evaluate(async () => {
    const { app, plugin } = window as unknown as { app: { secretStorage: { getSecret(id: string): string } }; plugin: { loadData(): Promise<unknown> } };
    return [app.secretStorage.getSecret("holovault-token"), JSON.stringify(await plugin.loadData())];
  });
  expect(held[0]).toBe("secret");
  expect(held[1]).not.toContain("secret");
});

test("diagnostics hold no token, no folder, no address, no question and no name of a note, from wherever they are copied", async () => {
  const { url, token } = desk.address();
  page = await desk.sit({ context: CLIPBOARD, ready: false, data: { connect: "url", url, vaultName: "Notebook", command: `holovault up --home ${desk.home}` } });
  await hold(page, token);
  desk.twist = (path, body) => (path === "/v1/status" ? { ...body, failures: [{ path: PLAN, stage: "read", reason: `${desk.vault} is gone`, since: "" }] } : body);
  await page.evaluate(() => (window as unknown as { app: { workspace: { ready(): void } } }).app.workspace.ready());
  await search(page, "lighthouse keeper");
  await run(page, "status");
  await page.getByRole("listitem").filter({ hasText: PLAN }).waitFor();
  await openSettings(page);
  const copies = [page.getByRole("dialog").getByRole("button", { name: "Copy diagnostics" }), page.locator("#root").getByRole("button", { name: "Copy", exact: true })];
  for (const [count, copy] of copies.entries()) {
    await copy.dispatchEvent("click");
    await page.locator(".notice", { hasText: "Diagnostics copied." }).nth(count).waitFor();
    const text = await clipboard(page);
    expect(text).toMatch(/^Connection: url \(http\), token set$/m);
    expect(text).toMatch(/^Failures: 1 \(read\)$/m);
    for (const secret of [token, dirname(desk.home), "Notebook", "127.0.0.1", "lighthouse", "Plan"]) {
      expect(text).not.toContain(secret);
    }
    await page.evaluate(() => navigator.clipboard.writeText(""));
  }
});
