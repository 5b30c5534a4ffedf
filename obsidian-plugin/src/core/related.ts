/**
 * What is related to the note that is read: by meaning, by links, by names. Owns what is asked when, pinning, and what is hidden. Rows
 * stay until their successors are there. Must not know where links come from or how anything is drawn.
 */

import type { Link } from "./link";
import { situationAfter } from "./link";
import type { Readable } from "./observable";
import { Cell } from "./observable";
import type { Cancel, Timers } from "./ports";
import { problemOf } from "./problems";
import type { PathExplanation } from "./protocol";
import type { Subject } from "./relatives";
import { askRelatives } from "./relatives";
import type { Row } from "./rows";
import { Lane } from "./search/lane";
import type { Situation } from "./situations";
import { tell } from "./situations";

/** A note at the other end of a link. */
export interface LinkedNote {
  readonly path: string;
  readonly title: string;
}

export interface NoteLinks {
  /** Notes that this one links to. */
  readonly to: readonly LinkedNote[];
  /** Notes that link to this one. */
  readonly from: readonly LinkedNote[];
}

/** A stretch of a note below one heading; `start` is its first line, 1-based. */
export interface Section {
  readonly heading: string;
  readonly text: string;
  readonly start: number;
}

/** What Obsidian knows of a note. */
export interface Sources {
  links(path: string): NoteLinks;
  section(path: string, line: number): Promise<Section | null>;
  text(path: string): Promise<string>;
}

/** Results that a person does not want to see beside a note. */
export interface Mutes {
  of(path: string): readonly string[];
  set(path: string, muted: readonly string[]): void;
}

/** What is muted where, after a note or a folder of that path has another one. */
export function renamedMutes(all: Readonly<Record<string, readonly string[]>>, before: string, after: string): Readonly<Record<string, readonly string[]>> {
  const now = (path: string) => (path === before ? after : path.startsWith(`${before}/`) ? after + path.slice(before.length) : path);
  return Object.fromEntries(Object.entries(all).map(([path, muted]) => [now(path), muted.map(now)]));
}

export interface RelatedRow extends Row {
  readonly why: string;
  /** How the note is linked with the one that is read, "" where it is not. */
  readonly linked: string;
}

export interface LinkRow extends LinkedNote {
  readonly why: string;
}

export interface RelatedState {
  readonly path: string | null;
  /** What of the note the rows are about: a heading, "selection", or "" for all of it. */
  readonly about: string;
  readonly pinned: boolean;
  /** Whether newer rows are on their way. */
  readonly busy: boolean;
  readonly situation: Situation | null;
  readonly meaning: readonly RelatedRow[];
  readonly links: readonly LinkRow[];
  readonly entities: readonly RelatedRow[];
  /** How many are left out by a mute, the least score or because they are linked. */
  readonly hidden: number;
  readonly note: string;
  readonly announce: string;
}

export interface RelatedOptions {
  readonly minScore: number;
  readonly hideLinked: boolean;
  readonly followCursor: boolean;
  readonly limit: number;
}

interface Place {
  readonly path: string | null;
  readonly line: number | null;
}

interface Relatives {
  readonly subject: Subject;
  readonly explanation: PathExplanation;
  readonly meaning: readonly Row[];
  readonly entities: readonly Row[];
  readonly note: string;
}

const FOLLOW_MS = 250;

export class RelatedSession {
  private readonly cell = new Cell<RelatedState>(EMPTY);
  private readonly lane = new Lane();
  private readonly endings: readonly Cancel[];
  private cancelTimer: Cancel = () => undefined;
  private place: Place = { path: null, line: null };
  private selection: Subject | null = null;
  private relatives: Relatives | null = null;
  private unhidden = false;
  private asked = "";
  private question = 0;

  constructor(
    private readonly link: Link,
    private readonly timers: Timers,
    private readonly sources: Sources,
    private readonly mutes: Mutes,
    private options: RelatedOptions,
  ) {
    this.endings = [
      link.changes.subscribe(() => this.refresh()),
      link.situation.subscribe(() => {
        if (this.relatives === null) {
          this.refresh();
        }
      }),
    ];
  }

  get state(): Readable<RelatedState> {
    return this.cell;
  }

  /** Says which note is active and on which line the cursor is, 1-based. A pinned session takes note and stays. */
  follow(path: string | null, line: number | null = null): void {
    this.place = { path, line };
    if (!this.cell.value.pinned) {
      this.leaveSelection();
      this.soon(FOLLOW_MS);
    }
  }

  /** Keeps what is shown, whatever note is active; lets go with false. */
  pin(pinned: boolean): void {
    this.patch({ pinned });
    if (!pinned) {
      this.leaveSelection();
      this.soon(0);
    }
  }

  /** Shows what is related to a text of the active note; null returns to the note. */
  select(text: string | null): void {
    const { path, line } = this.place;
    this.selection = path === null || text === null || text.trim() === "" ? null : { path, line, heading: "selection", text };
    this.soon(0);
  }

  /** Hides a note's passages beside the note that is shown. */
  mute(path: string): void {
    const beside = this.cell.value.path;
    if (beside !== null) {
      this.mutes.set(beside, [...new Set([...this.mutes.of(beside), path])]);
      this.show();
    }
  }

  unmuteAll(): void {
    const beside = this.cell.value.path;
    if (beside !== null) {
      this.mutes.set(beside, []);
      this.show();
    }
  }

  /** Shows what is hidden as well, until another note is active. */
  showHidden(): void {
    this.unhidden = true;
    this.show();
  }

  configure(options: RelatedOptions): void {
    const asks = options.limit !== this.options.limit || options.followCursor !== this.options.followCursor;
    this.options = options;
    if (asks) {
      this.refresh();
    } else {
      this.show();
    }
  }

  /** Asks again about the same. */
  refresh(): void {
    this.asked = "";
    if (!this.cell.value.pinned || this.relatives !== null) {
      this.soon(0);
    }
  }

  close(): void {
    this.endings.forEach((end) => end());
    this.question += 1;
    this.cancelTimer();
    this.lane.clear();
  }

  /** The pane's own appearance is news of the workspace too: only another note ends a selection. */
  private leaveSelection(): void {
    if (this.selection?.path !== this.place.path) {
      this.selection = null;
    }
  }

  private soon(wait: number): void {
    this.cancelTimer();
    this.cancelTimer = this.timers.after(wait, () => this.lane.run(() => this.look()));
  }

  private async look(): Promise<void> {
    const mine = ++this.question;
    const subject = await this.subject();
    if (mine !== this.question) {
      return;
    }
    if (subject === null) {
      this.relatives = null;
      this.asked = "";
      this.cell.set({ ...EMPTY, pinned: this.cell.value.pinned });
      return;
    }
    const key = JSON.stringify(subject);
    if (key === this.asked) {
      return;
    }
    this.asked = key;
    this.patch({ busy: true });
    try {
      const found = await askRelatives(this.link, subject, this.options.limit, () => this.sources.text(subject.path));
      if (mine === this.question) {
        this.unhidden = this.unhidden && this.relatives?.subject.path === subject.path;
        this.relatives = { subject, ...found };
        this.show();
      }
    } catch (error) {
      if (mine === this.question) {
        this.fail(subject, error);
      }
    }
  }

  private async subject(): Promise<Subject | null> {
    if (this.selection !== null) {
      return this.selection;
    }
    const shown = this.cell.value.pinned ? (this.relatives?.subject ?? null) : null;
    if (shown !== null) {
      return shown.heading === "selection" ? { path: shown.path, line: null, heading: "", text: null } : shown;
    }
    const { path, line } = this.place;
    if (path === null) {
      return null;
    }
    const section = line !== null && this.options.followCursor ? await this.sources.section(path, line) : null;
    return { path, line: section?.start ?? null, heading: section?.heading ?? "", text: section?.text ?? null };
  }

  private show(): void {
    const found = this.relatives;
    if (found === null) {
      return;
    }
    const { path, heading } = found.subject;
    const links = linkRows(this.sources.links(path));
    const linked = new Map(links.map((row) => [row.path, row.why]));
    const muted = new Set(this.mutes.of(path));
    const hides = (row: Row, least: number) => muted.has(row.path) || row.score < least || (this.options.hideLinked && linked.has(row.path));
    const isShown = (row: Row) => this.unhidden || !hides(row, this.options.minScore);
    const meaning = found.meaning.filter(isShown);
    // What the names say is no likeness: the least score is not about it.
    const entities = found.entities.filter((row) => this.unhidden || !hides(row, 0));
    const hidden = found.meaning.length + found.entities.length - meaning.length - entities.length;
    const situation = situationOfNote(found.explanation) ?? (meaning.length + entities.length + links.length === 0 ? nothing(hidden) : null);
    this.patch({
      path,
      about: heading,
      busy: false,
      situation,
      meaning: meaning.map((row) => ({ ...row, why: row.badge.label || "meaning", linked: linked.get(row.path) ?? "" })),
      links,
      entities: entities.map((row) => ({ ...row, why: row.via.length > 0 ? `shares ${row.via.join(", ")}` : "names", linked: linked.get(row.path) ?? "" })),
      hidden,
      note: found.note,
      announce: `${meaning.length + entities.length} related ${meaning.length + entities.length === 1 ? "passage" : "passages"}`,
    });
  }

  /** Rows about another note would be wrong; those about this one stay. */
  private fail(subject: Subject, error: unknown): void {
    this.asked = "";
    const situation: Situation =
      problemOf(error).kind === "not-found" ? { kind: "note-not-indexed" } : situationAfter(this.link, error);
    const links = linkRows(this.sources.links(subject.path));
    const stays = this.relatives?.subject.path === subject.path;
    this.relatives = stays ? this.relatives : null;
    const gone = { meaning: [], entities: [], hidden: 0, note: "" };
    this.patch({ ...(stays ? {} : gone), path: subject.path, about: subject.heading, busy: false, situation, links, announce: tell(situation).title });
  }

  private patch(change: Partial<RelatedState>): void {
    this.cell.set({ ...this.cell.value, ...change });
  }
}

const EMPTY: RelatedState = {
  path: null,
  about: "",
  pinned: false,
  busy: false,
  situation: { kind: "no-note" },
  meaning: [],
  links: [],
  entities: [],
  hidden: 0,
  note: "",
  announce: "",
};

function linkRows({ to, from }: NoteLinks): readonly LinkRow[] {
  const back = new Set(from.map(({ path }) => path));
  const out = new Set(to.map(({ path }) => path));
  const rows = [...to, ...from.filter(({ path }) => !out.has(path))];
  return rows.map((note) => ({ ...note, why: !out.has(note.path) ? "links here" : back.has(note.path) ? "linked both ways" : "linked from here" }));
}

function situationOfNote({ excluded_by: by, failures = [], indexed }: PathExplanation): Situation | null {
  const [failure] = failures;
  if (by !== null) {
    return { kind: "note-excluded", by };
  }
  if (failure !== undefined) {
    return { kind: "note-failed", reason: failure.reason };
  }
  return indexed ? null : { kind: "note-not-indexed" };
}

function nothing(hidden: number): Situation {
  return { kind: "no-related", hidden };
}
