/** What the core is handed from outside, so that it runs without Obsidian. Types only. */

/** Undoes or ends something. Calling it twice is fine. */
export type Cancel = () => void;

export interface WireRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface WireResponse {
  readonly status: number;
  readonly text: string;
}

/** Sends one request. Resolves with any status; rejects only where no answer came. */
export type Request = (request: WireRequest) => Promise<WireResponse>;

/** `now` is milliseconds since 1970; `after` calls once. */
export interface Timers {
  now(): number;
  after(ms: number, run: () => void): Cancel;
}

/** A folder or file as the system knows it. `device` and `inode` are decimal: they exceed what a number holds exactly. */
export interface Identity {
  readonly real: string;
  readonly device: string;
  readonly inode: string;
}

/** The disk outside the vault; there is none on phones and tablets. */
export interface Disk {
  /** The folder that `~` means. */
  home(): string;
  join(...parts: string[]): string;
  /** Names in a folder, [] where there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** The text of a file, null where it cannot be read. */
  read(path: string): Promise<string | null>;
  /** What `path` is, null where nothing is there. */
  identify(path: string): Promise<Identity | null>;
  /** Whether a process with this id exists. */
  alive(pid: number): boolean;
}

export interface Ports {
  readonly request: Request;
  readonly timers: Timers;
  readonly disk: Disk | null;
  readonly crypto: Crypto;
}
