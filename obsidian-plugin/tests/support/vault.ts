/** A vault of its own with the real Python daemon behind it, and a transport over Node's http in place of Obsidian's. */
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request as send } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { Connection } from "../../src/core/connection";
import type { Disk, Ports, Request, Timers } from "../../src/core/ports";
import type { Readable } from "../../src/core/observable";

const PROGRAM = join(import.meta.dirname, "../../../.venv/bin/holovault");
const run = promisify(execFile);
const WITHOUT_MODEL = '[embedding]\nprovider = "none"\n';

export class TestVault {
  readonly root = mkdtempSync(join(tmpdir(), "holovault-plugin-vault-"));
  readonly home = mkdtempSync(join(tmpdir(), "holovault-plugin-home-"));
  private ended: Promise<unknown> = Promise.resolve();
  private kill: () => void = () => undefined;

  constructor(notes: Readonly<Record<string, string>>) {
    this.write({ "knowledge.toml": WITHOUT_MODEL, ...notes });
  }

  write(notes: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(notes)) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), text);
    }
  }

  /** What `holovault` prints for these arguments. */
  async command(...words: readonly string[]): Promise<string> {
    const { stdout } = await run(PROGRAM, words, { cwd: this.root, env: { ...process.env, HOLOVAULT_HOME: this.home } });
    return stdout;
  }

  /** Starts the daemon, on any free port unless told; resolves as soon as it says where it listens. */
  async serve(port = 0): Promise<void> {
    const words = ["serve", "--vault", this.root, "--home", this.home, "--port", String(port)];
    const child = spawn(PROGRAM, words, { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    const ended = new Promise((resolve) => child.once("close", resolve));
    this.ended = ended;
    this.kill = () => void child.kill("SIGTERM");
    const published = new Promise<void>((resolve, reject) => {
      const look = (text: string) => {
        said += text;
        if (/127\.0\.0\.1:\d+/.test(said)) {
          resolve();
        }
      };
      child.stdout.setEncoding("utf8").on("data", look);
      child.stderr.setEncoding("utf8").on("data", look);
      void ended.then(() => reject(new Error(`the daemon ended: ${said}`)));
    });
    await published;
  }

  async stop(): Promise<void> {
    this.kill();
    await this.ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.root, { recursive: true, force: true });
    rmSync(this.home, { recursive: true, force: true });
  }

  /** The run file's own fields, as the daemon wrote them. */
  run(): { readonly port: number; readonly token: string } {
    const [name] = readdirSync(join(this.home, "run")).filter((one) => one.endsWith(".json"));
    return JSON.parse(readFileSync(join(this.home, "run", name ?? ""), "utf8")) as { port: number; token: string };
  }

  connection(token: string | null = null): Connection {
    return new Connection(PORTS, { vault: { name: this.root.split("/").at(-1) ?? "", path: this.root }, token: () => token });
  }
}

export const overHttp: Request = ({ url, method, headers, body }) =>
  new Promise((resolve, reject) => {
    const sent = send(url, { method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString("utf8") }));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });

export const timers: Timers = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

export const disk: Disk = {
  home: () => tmpdir(),
  join,
  list: (folder) => Promise.resolve(exists(folder) ? readdirSync(folder) : []),
  read: (path) => Promise.resolve(exists(path) ? readFileSync(path, "utf8") : null),
  identify: (path) => {
    const { dev, ino } = statSync(path, { bigint: true });
    return Promise.resolve({ real: path, device: String(dev), inode: String(ino) });
  },
  alive: () => true,
};

export const PORTS: Ports = { request: overHttp, timers, disk, crypto };

/** Waits until a value passes a test; the test's own time limit is the bound. */
export function until<T>(value: Readable<T>, isRight: (value: T) => boolean): Promise<T> {
  return new Promise((resolve) => {
    if (isRight(value.value)) {
      resolve(value.value);
      return;
    }
    const end = value.subscribe((now) => {
      if (isRight(now)) {
        end();
        resolve(now);
      }
    });
  });
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
