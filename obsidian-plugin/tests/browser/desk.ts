/** A person at a desk: a real daemon, a vault on the disk, and the built plugin in a real browser. Owns their start and end. */
import type { ChildProcess } from "node:child_process";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request as send } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { chromium } from "playwright-core";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const PLUGIN = join(HERE, "..", "..");
const ROOT = join(PLUGIN, "..");
const PYTHON = process.env["HOLOVAULT_PYTHON"] ?? join(ROOT, ".venv", process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
const QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic", "--no-first-run"];
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

export interface Look {
  readonly context?: BrowserContextOptions;
  readonly dir?: "ltr" | "rtl";
  readonly width?: number;
  readonly data?: unknown;
  /** False keeps the plugin from hearing that the layout is ready. */
  readonly ready?: boolean;
}

export class Desk {
  readonly requests: string[] = [];
  /** Changes what the daemon answers to a path, where a state is hard to bring about. */
  twist: ((path: string, body: Record<string, unknown>) => Record<string, unknown>) | null = null;

  private constructor(
    readonly vault: string,
    readonly home: string,
    private readonly notes: Readonly<Record<string, string>>,
    private readonly daemon: ChildProcess,
    private readonly browser: Browser,
    private readonly code: string,
  ) {}

  static async open(notes: Readonly<Record<string, string>>): Promise<Desk> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "holovault-desk-")));
    const [vault, home] = [join(folder, "Notebook"), join(folder, "home")];
    for (const [path, text] of Object.entries({ ...notes, "knowledge.toml": '[embedding]\nprovider = "none"\n' })) {
      mkdirSync(dirname(join(vault, path)), { recursive: true });
      writeFileSync(join(vault, path), text);
    }
    const [daemon, browser, code] = await Promise.all([serve(vault, home), launch(), bundled()]);
    return new Desk(vault, home, notes, daemon, browser, code);
  }

  async close(): Promise<void> {
    await this.browser.close();
    const gone = new Promise((resolve) => this.daemon.once("exit", resolve));
    if (this.daemon.exitCode === null) {
      this.daemon.kill("SIGTERM");
      await gone;
    }
    rmSync(dirname(this.vault), { recursive: true, force: true });
  }

  /** A window of Obsidian with the plugin in it. */
  async sit(look: Look = {}): Promise<Page> {
    const context = await this.browser.newContext({ viewport: { width: 1000, height: 720 }, ...look.context });
    // Shorter than a test has, so that a failure says what was waited for.
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    page.on("pageerror", (error) => this.requests.push(`page error: ${error.message}`));
    await page.exposeFunction("holovaultRequest", (asked: Asked) => this.answer(asked));
    await page.exposeFunction("holovaultDisk", (name: string, path: string) => disk(name, path));
    await page.route("**/*", (route) => route.fulfill({ contentType: "text/html", body: this.html(look) }));
    await page.goto("http://localhost/");
    await page.addScriptTag({ content: this.code });
    const given = { notes: this.notes, vault: this.vault, home: dirname(this.home), data: { homeFolder: this.home, ...(look.data as object) } };
    await page.evaluate((start) => (window as unknown as { holovaultStart(given: unknown): Promise<void> }).holovaultStart(start), given);
    if (look.ready !== false) {
      await page.evaluate(() => (window as unknown as { app: { workspace: { ready(): void } } }).app.workspace.ready());
    }
    return page;
  }

  private html({ dir = "ltr", width = 360 }: Look): string {
    const css = ["theme.css", "../../styles.css"].map((name) => readFileSync(join(HERE, name), "utf8")).join("\n");
    return `<!doctype html><html dir="${dir}"><meta charset="utf-8"><style>${css}\n#side { width: ${String(width)}px }</style>
<div id="ribbon"></div><main id="app"><div id="root"></div><div id="side"></div></main><div id="status"></div><div class="notice-container"></div></html>`;
  }

  private twisted(path: string, text: string): string {
    return this.twist === null ? text : JSON.stringify(this.twist(path, JSON.parse(text) as Record<string, unknown>));
  }

  /** Where the daemon answers, and its token. */
  address(): { readonly url: string; readonly token: string } {
    const runs = join(this.home, "run");
    const [name = ""] = readdirSync(runs).filter((one) => one.endsWith(".json"));
    const { port, token } = JSON.parse(readFileSync(join(runs, name), "utf8")) as { port: number; token: string };
    return { url: `http://127.0.0.1:${String(port)}`, token };
  }

  private answer(asked: Asked): Promise<{ status: number; text: string }> {
    const { pathname } = new URL(asked.url);
    this.requests.push(`${asked.method} ${pathname}`);
    return new Promise((resolve, reject) => {
      const sent = send(asked.url, { method: asked.method, headers: asked.headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text: this.twisted(pathname, Buffer.concat(parts).toString("utf8")) }));
      });
      sent.on("error", reject);
      sent.end(asked.body);
    });
  }
}

interface Asked {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** What Node's fs says, as [failed, value]. */
function disk(name: string, path: string): [boolean, unknown] {
  try {
    const { dev, ino } = name === "stat" ? statSync(path, { bigint: true }) : { dev: 0n, ino: 0n };
    const value = name === "readdir" ? readdirSync(path) : name === "readFile" ? readFileSync(path, "utf8") : name === "realpath" ? realpathSync(path) : [String(dev), String(ino)];
    return [false, value];
  } catch (error) {
    return [true, String(error)];
  }
}

async function serve(vault: string, home: string): Promise<ChildProcess> {
  const env = { ...process.env, HOLOVAULT_HOME: home };
  const run = (...given: string[]) => execFileSync(PYTHON, ["-m", "holovault.cli", ...given], { env, stdio: ["ignore", "ignore", "inherit"], timeout: 60_000 });
  run("index", "--vault", vault);
  const daemon = spawn(PYTHON, ["-m", "holovault.cli", "serve", "--vault", vault], { env, stdio: ["ignore", "ignore", "ignore"] });
  const known = join(home, "run");
  for (let tries = 0; tries < 200; tries += 1) {
    const runs = disk("readdir", known)[1];
    const names = Array.isArray(runs) ? (runs as string[]).filter((name) => name.endsWith(".json")) : [];
    if (names.some((name) => /"port":\s*\d/.test(readFileSync(join(known, name), "utf8")))) {
      return daemon;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the daemon did not start");
}

function launch(): Promise<Browser> {
  const named = process.env["CHROME"];
  const found = named ?? NAMES.flatMap((name) => which(name))[0];
  if (found === undefined) {
    throw new Error("no Chromium is here: on Debian `make test` installs it as root; elsewhere set CHROME=/path/to/chrome");
  }
  // Chromium refuses its sandbox to root, which build machines are.
  const root = process.getuid?.() === 0;
  return chromium.launch({ executablePath: found, args: [...QUIET, ...(root ? ["--no-sandbox"] : [])] });
}

function which(name: string): string[] {
  const folders = (process.env["PATH"] ?? "").split(process.platform === "win32" ? ";" : ":");
  return folders.map((folder) => join(folder, name)).filter((path) => !disk("stat", path)[0]);
}

/** The shim and the built plugin as scripts of a page. */
async function bundled(): Promise<string> {
  const options = { bundle: true, write: false, format: "iife", target: "es2022", logLevel: "silent" } as const;
  const shim = await build({ ...options, entryPoints: [join(HERE, "shim", "index.ts")] });
  const main = await build({ ...options, format: "cjs", target: "es2020", minify: true, external: ["obsidian"], entryPoints: [join(PLUGIN, "src", "main.ts")] });
  return `window.holovaultModule = function (module, exports, require) {${main.outputFiles[0]?.text ?? ""}};\n${shim.outputFiles[0]?.text ?? ""}`;
}

