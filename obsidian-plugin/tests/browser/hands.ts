/** What a person does in the window of the browser tests. */
import type { Page } from "playwright-core";

interface Note {
  readonly editor: unknown;
  getMode(): string;
  setState(state: { readonly mode: string }): Promise<void>;
}

/** The globals that the page has. */
interface Shown {
  app: {
    vault: { getFileByPath(path: string): unknown; texts: Map<string, string> };
    workspace: { getLeaf(kind?: boolean): { openFile(file: unknown): Promise<void>; readonly view: Note }; leaves: { side: boolean }[]; hovers: Record<string, unknown>[] };
  };
  plugin: { commands: Map<string, { callback?: () => unknown; checkCallback?: (checking: boolean) => unknown; editorCheckCallback?: (checking: boolean, editor: unknown) => unknown }>; tabs: { containerEl: HTMLElement; display(): void }[] };
}

export async function openNote(page: Page, path: string): Promise<void> {
  await page.evaluate(async (given) => {
    const { app } = window as unknown as Shown;
    await app.workspace.getLeaf(false).openFile(app.vault.getFileByPath(given));
  }, path);
}

/** Turns the note used last to its reading view. */
export async function read(page: Page): Promise<void> {
  await page.evaluate(() => (window as unknown as Shown).app.workspace.getLeaf(false).view.setState({ mode: "preview" }));
}

/** Which view the note used last is in: "source" or "preview". */
export function mode(page: Page): Promise<string> {
  return page.evaluate(() => (window as unknown as Shown).app.workspace.getLeaf(false).view.getMode());
}

export async function run(page: Page, id: string): Promise<void> {
  await page.evaluate((given) => {
    const command = (window as unknown as Shown).plugin.commands.get(given);
    if (command?.callback === undefined) {
      command?.checkCallback?.(false);
    } else {
      command.callback();
    }
  }, id);
}

/** Whether the palette shows a command now. */
export function offers(page: Page, id: string): Promise<boolean> {
  return page.evaluate((given) => (window as unknown as Shown).plugin.commands.get(given)?.checkCallback?.(true) === true, id);
}

/** Runs a command of the editor on a selection. */
export async function runOn(page: Page, id: string, text: string): Promise<void> {
  await page.evaluate(([given, selected]) => void (window as unknown as Shown).plugin.commands.get(given ?? "")?.editorCheckCallback?.(false, { getSelection: () => selected }), [id, text]);
}

/** Selects `text` in the note used last and runs a command of the editor on it. */
export async function runOnSelected(page: Page, id: string, text: string): Promise<void> {
  await page.locator(".note-source").evaluate((area: HTMLTextAreaElement, wanted) => {
    const from = area.value.indexOf(wanted);
    area.focus();
    area.setSelectionRange(from, from + wanted.length);
  }, text);
  await page.evaluate((given) => {
    const { app, plugin } = window as unknown as Shown;
    plugin.commands.get(given)?.editorCheckCallback?.(false, app.workspace.getLeaf(false).view.editor);
  }, id);
}

/** Changes a note as another program would: the daemon does not know of it yet. */
export async function rewrite(page: Page, path: string, text: string): Promise<void> {
  await page.evaluate(([given, now]) => void (window as unknown as Shown).app.vault.texts.set(given ?? "", now ?? ""), [path, text]);
}

export function hovers(page: Page): Promise<Record<string, unknown>[]> {
  return page.evaluate(() => (window as unknown as Shown).app.workspace.hovers.map(({ source, linktext, state }) => ({ source, linktext, state })));
}

/** How many tabs for notes there are. */
export function tabs(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as Shown).app.workspace.leaves.filter(({ side }) => !side).length);
}

/** Shows the settings in the root area. */
export async function openSettings(page: Page): Promise<void> {
  await page.evaluate(() => {
    const [tab] = (window as unknown as Shown).plugin.tabs;
    tab?.display();
    document.querySelector("#root")?.replaceChildren(...(tab === undefined ? [] : [tab.containerEl]));
  });
}

export async function search(page: Page, query: string): Promise<void> {
  await run(page, "search");
  await page.getByRole("combobox").fill(query);
  await page.locator(".hv-row").first().waitFor();
}

export function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Keeps a token as the settings do. */
export async function hold(page: Page, token: string): Promise<void> {
  await page.evaluate((given) => (window as unknown as { app: { secretStorage: { setSecret(id: string, secret: string): void } } }).app.secretStorage.setSecret("holovault-token", given), token);
}
