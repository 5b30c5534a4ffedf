// Made by `npm run protocol` from tests/contract/wire.schema.json: change the Python model, never this file.
// A field with a default may be missing: a request leaves it to the daemon, and an older daemon does not know it.

/**
 * `role` is what x is to a; `answer` is null where nothing stands out. `candidates` are the nearest names, `results` the passages that
 * say so.
 */
export interface AnalogyAnswer {
  readonly query: string;
  readonly took_ms: number;
  readonly degraded: readonly Degraded[];
  readonly role: string | null;
  readonly answer: EntityInfo | null;
  readonly candidates: readonly NearName[];
  readonly results: readonly Hit[];
}

/** `x` is to `a` as what is to `b`? */
export interface AnalogyRequest {
  readonly a: string;
  readonly x: string;
  readonly b: string;
  readonly limit?: number;
}

/**
 * `text` becomes lines of its own: the note's last ones, or the last ones that belong to a heading itself, above what is below it.
 *
 * `heading` is a path of headings as hits have it, outermost first, or the end of one. `create_heading` makes those that are missing.
 */
export interface Append {
  readonly text: string;
  readonly heading?: readonly string[];
  readonly create_heading?: boolean;
}

/** What a process that holds an index found in itself; `repaired` are sentences, `route` is null where nothing was probed. */
export interface Checkup {
  readonly pid: number;
  readonly index: IndexHealth;
  readonly route?: RouteReport | null;
  readonly repaired?: readonly string[];
}

/** `probe`: ask the model for one vector. `repair`: first put right what can be derived. */
export interface CheckupRequest {
  readonly probe?: boolean;
  readonly repair?: boolean;
}

export interface ChunkInfo {
  readonly start_line: number;
  readonly end_line: number;
  readonly heading: readonly string[];
  readonly tokens: number;
  readonly windows: number;
  readonly embedded: number;
}

/** Two facts about the same that cannot both be so: they agree in `shared` and differ in one value, `first` against `second`. */
export interface Contradiction {
  readonly kind: "date" | "name" | "negation" | "number";
  readonly one: Fact;
  readonly other: Fact;
  readonly first: string;
  readonly second: string;
  readonly shared: readonly string[];
}

/** `total` pairs, counted to 10,000, and `pairs` the first of them; nothing is decided here. */
export interface Contradictions {
  readonly total: number;
  readonly pairs?: readonly Contradiction[];
}

/** The fact as it stands now, and the text that it had. */
export interface Corrected {
  readonly fact: Fact;
  readonly was: string;
}

/** The body of a correction over HTTP: the id stands in the address, the expected hashes in If-Match. */
export interface Correction {
  readonly text: string;
  readonly keep_tags?: boolean;
}

/** A category or a tag, and how many facts have it. */
export interface Counted {
  readonly name: string;
  readonly count: number;
}

/** A lane that was missing or behind: never silence. */
export interface Degraded {
  readonly lane: "hrr" | "index" | "jaccard" | "lexical" | "semantic";
  readonly code: "behind" | "building" | "disabled" | "empty" | "failed" | "partial" | "warming";
  readonly reason: string;
}

/**
 * A search response with the names that were asked about, as they were understood.
 *
 * Each hit has `presence` (0…1: its likeness as a share of what a member of such a passage has; null without a vector), `verified`
 * (the exact index agrees) and `via` (the names by which it is here). `mode` bridges: no passage holds all, these lie between.
 */
export interface EntityAnswer {
  readonly query: string;
  readonly took_ms: number;
  readonly degraded: readonly Degraded[];
  readonly results: readonly Hit[];
  readonly suggestion?: string | null;
  readonly entities?: readonly EntityInfo[];
  readonly mode?: "all" | "bridges";
}

/**
 * A name that `chunks` state: `name` is its canonical form, `text` how to show it; `kind` is note (the one at `path` bears it), tag
 * or name.
 */
export interface EntityInfo {
  readonly name: string;
  readonly text: string;
  readonly kind: "name" | "note" | "tag";
  readonly chunks: number;
  readonly path?: string | null;
}

/** Those of most passages first. `total` counts all that fit the query. */
export interface EntityList {
  readonly entities: readonly EntityInfo[];
  readonly total: number;
}

/** `prefix` of the name or of one of its words, spelt anyhow; `kind` null for all. */
export interface EntityQuery {
  readonly prefix?: string;
  readonly kind?: "name" | "note" | "tag" | null;
  readonly limit?: number;
  readonly offset?: number;
}

/** What a name is, wherever it stands, and how else it is written. */
export interface EntityRoles {
  readonly entity: EntityInfo;
  readonly roles: readonly RoleUse[];
  readonly spellings?: readonly string[];
}

/** Something that changed: `kind` is index, embed, model (another one answers now), failure or state; `paths` at most 100. */
export interface Event {
  readonly number: number;
  readonly kind: string;
  readonly generation: number;
  readonly paths?: readonly string[];
}

export interface Events {
  readonly next: number;
  readonly events?: readonly Event[];
}

/** `relevance` is the sum of the parts' contributions; `score = relevance × tier × trust × decay`. */
export interface Explanation {
  readonly profile: "coverage" | "rrf" | "weighted";
  readonly relevance: number;
  readonly parts: readonly Part[];
  readonly tier: number;
  readonly trust: number;
  readonly decay: number;
  readonly score: number;
}

/**
 * One list item of a facts note.
 *
 * `trust` counts the votes that are not yet folded into `own_trust`, the line's own; `helpful` and `unhelpful` are all votes. `hash` is
 * the note's, `item` the SHA-256 of `text`: either proves which version was read. `written` is false where the line has no
 * `^id` of its own and `id` is derived from the text. `duplicate_of` is `path:line` of the fact that has the same written id before this
 * one; `problems` are sentences about what its line says and nobody can read.
 */
export interface Fact {
  readonly id: string;
  readonly text: string;
  readonly category: string;
  readonly tags: readonly string[];
  readonly entities: readonly string[];
  readonly trust: number;
  readonly own_trust: number;
  readonly helpful: number;
  readonly unhelpful: number;
  readonly created: string | null;
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly hash: string;
  readonly item: string;
  readonly written?: boolean;
  readonly duplicate_of?: string | null;
  readonly problems?: readonly string[];
}

/** Days on which something happened to facts, oldest first; facts without a date do not count. */
export interface FactActivity {
  readonly days?: readonly FactDay[];
}

/** One calendar day (`2026-05-24`): facts that were `made` and `votes` that were cast. */
export interface FactDay {
  readonly day: string;
  readonly made: number;
  readonly votes: number;
}

/** One fact with its votes, oldest first, and the other places where its id stands too. */
export interface FactHistory {
  readonly fact: Fact;
  readonly votes: readonly FactVote[];
  readonly copies?: readonly string[];
}

/** `total` facts meet the query, `facts` are those of this page; `categories` and `tags` count all facts of the vault. */
export interface FactList {
  readonly total: number;
  readonly facts: readonly Fact[];
  readonly categories?: readonly Counted[];
  readonly tags?: readonly Counted[];
}

/**
 * Which facts. Every word of `query` must be in the fact, the last one at least begun; null and "" do not narrow.
 *
 * The order is the notes' own: path, then line. `limit` is 1…500, `offset` counts facts that are left out before.
 */
export interface FactQuery {
  readonly query?: string;
  readonly category?: string | null;
  readonly tag?: string | null;
  readonly entity?: string | null;
  readonly path?: string | null;
  readonly min_trust?: number;
  readonly limit?: number;
  readonly offset?: number;
}

export interface FactRef {
  readonly id: string;
  readonly trust: number;
  readonly category: string;
}

/** One line of a feedback note. `at` is a time, or a date alone where a hand wrote it. */
export interface FactVote {
  readonly vote: "helpful" | "unhelpful";
  readonly at: string;
  readonly path: string;
}

/** One thing that did not work, listed until it does. `stage`: read, parse, embed, watch, config, overwritten. */
export interface Failure {
  readonly path: string;
  readonly stage: string;
  readonly reason: string;
  readonly since: string;
}

/** The fact with the vote counted, its trust before, and the note that the vote stands in. */
export interface FeedbackResult {
  readonly fact: Fact;
  readonly before: number;
  readonly vote: FactVote;
}

/** What `fold` wrote; `left` says of facts that it left alone, why. */
export interface FoldReport {
  readonly facts?: readonly FoldedFact[];
  readonly paths?: readonly string[];
  readonly left?: readonly string[];
}

/** A fact whose votes are in its line now: its own trust was `before` and is `trust`. */
export interface FoldedFact {
  readonly id: string;
  readonly path: string;
  readonly before: number;
  readonly trust: number;
  readonly helpful: number;
  readonly unhelpful: number;
}

/** What was removed, as it stood: the bytes of lines `start_line`…`end_line` of `path`, which has `hash` now. */
export interface Forgotten {
  readonly id: string;
  readonly text: string;
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly hash: string;
}

/**
 * The handshake. `proof` is the HMAC of the client's nonce by the token of this start, empty without a nonce; `proofs` are those by the
 * long-lived tokens for this vault, at most 32.
 */
export interface Health {
  readonly api: string;
  readonly protocol: number;
  readonly version: string;
  readonly vault: string;
  readonly boot_id: string;
  readonly generation: number;
  readonly state: string;
  readonly pid: number;
  readonly proof?: string;
  readonly proofs?: readonly string[];
}

/**
 * One passage, the same on every surface. `matches` are [from, to) code points in `excerpt`; `source` is the note's own word for
 * where its text came from (front matter), null for notes without one. `presence`, `verified` and `via` are of questions about
 * names: see `EntityAnswer`. `links` is of related notes: whether the hit's note links to the one that was asked about, or is linked
 * from it, or both.
 */
export interface Hit {
  readonly path: string;
  readonly title: string;
  readonly heading: readonly string[];
  readonly start_line: number;
  readonly end_line: number;
  readonly excerpt: string;
  readonly matches: readonly (readonly [number, number])[];
  readonly tags: readonly string[];
  readonly score: number;
  readonly signals: Signals;
  readonly tier: number;
  readonly project: string | null;
  readonly modified: string;
  readonly chunk: string;
  readonly fact?: FactRef | null;
  readonly explanation?: Explanation | null;
  readonly source?: string | null;
  readonly presence?: number | null;
  readonly verified?: boolean | null;
  readonly via?: readonly string[];
  readonly links?: readonly ("linked-from-here" | "links-here")[];
}

/**
 * Whether the index is sound and agrees with the vault; with `damage` (a sentence) there are no other numbers.
 *
 * `unindexed` notes lie on disk and are neither indexed nor listed as failed, `vanished` ones the other way round; `unreadable` folders
 * could not be listed. Of `windows`, `embedded` have a vector, `waiting` will get one, `failed` could not; `lost` ones are none of these.
 * `wordless` chunks have no full-text entry, `shapeless` ones have lost their structure vector, `orphans` are rows whose owner is gone.
 */
export interface IndexHealth {
  readonly damage?: string | null;
  readonly files?: number;
  readonly unindexed?: number;
  readonly vanished?: number;
  readonly unreadable?: number;
  readonly windows?: number;
  readonly embedded?: number;
  readonly waiting?: number;
  readonly failed?: number;
  readonly lost?: number;
  readonly wordless?: number;
  readonly shapeless?: number;
  readonly orphans?: number;
  readonly failures?: readonly Failure[];
}

/** `phase` is scan, words, structure, meaning or idle; `done` of `total` notes (words), passages (structure) or windows (meaning). */
export interface IndexProgress {
  readonly phase: string;
  readonly done: number;
  readonly total: number;
}

/** What one indexing pass did. `files`, `chunks` and `windows` are the index's totals after it, the rest this pass's own. */
export interface IndexReport {
  readonly files?: number;
  readonly added?: number;
  readonly changed?: number;
  readonly renamed?: number;
  readonly removed?: number;
  readonly unchanged?: number;
  readonly chunks?: number;
  readonly windows?: number;
  readonly embedded?: number;
  readonly reused?: number;
  readonly failed?: readonly Failure[];
  readonly seconds?: number;
}

/** `wait` also for vectors; `retry_failed` lets windows that no model survived, and notes that could not be read, be tried again. */
export interface IndexRequest {
  readonly wait?: boolean;
  readonly retry_failed?: boolean;
}

/**
 * Passages of the structure that the one at `address` (`path:line`) would have with `plus` added and `minus` taken out.
 *
 * Both are names, or `role:name` (`prop:lead:Anna`, or `lead:Anna` where that is a property of the vault).
 */
export interface LikeRequest {
  readonly address: string;
  readonly plus?: readonly string[];
  readonly minus?: readonly string[];
  readonly limit?: number;
}

/** `state`: none, cold, warming, ready, failed. `embedded` windows have its vector, `pending` texts wait, `failed` ones do not. */
export interface ModelStatus {
  readonly provider: string;
  readonly name: string;
  readonly fingerprint: string;
  readonly dimension: number;
  readonly state: string;
  readonly reason?: string | null;
  readonly embedded?: number;
  readonly pending?: number;
  readonly failed?: number;
}

/** A name with its likeness −1…1 to what was looked for, and that in standard deviations of chance. */
export interface NearName {
  readonly name: string;
  readonly text: string;
  readonly similarity: number;
  readonly z: number;
}

/** Passages that do not name `entity` and share its company. */
export interface NeighbourRequest {
  readonly entity: string;
  readonly limit?: number;
}

/** One change of one note: `edits`, all of them or none, each found in the note as it is before the first one; or an `append`. */
export interface NoteChange {
  readonly edits?: readonly TextEdit[];
  readonly append?: Append | null;
}

/** One addend of relevance: lane, its calibrated value 0…1, its weight, and their product with coverage. */
export interface Part {
  readonly lane: string;
  readonly value: number;
  readonly weight: number;
  readonly contribution: number;
}

/** Why a path is treated as it is: which rule excluded it, gave its tier, its project, and how it was cut. */
export interface PathExplanation {
  readonly path: string;
  readonly indexed: boolean;
  readonly excluded_by: string | null;
  readonly tier: number;
  readonly tier_rule: string;
  readonly project: string | null;
  readonly project_rule: string | null;
  readonly hash: string | null;
  readonly chunks?: readonly ChunkInfo[];
  readonly failures?: readonly Failure[];
  readonly notes?: readonly string[];
}

/** Passages that state a name in a role. `fuzzy`: by vectors alone, with what the exact index does not confirm marked so. */
export interface ProbeRequest {
  readonly entity: string;
  readonly role?: string;
  readonly limit?: number;
  readonly fuzzy?: boolean;
}

/** A proxy that something names for `scheme`; `used` says whether requests go through it, `reason` why not. No user, no password. */
export interface Proxy {
  readonly scheme: string;
  readonly address: string;
  readonly source: string;
  readonly used: boolean;
  readonly reason?: string;
}

/** Models whose vectors were removed, how many vectors that were, and the bytes that the index is smaller by. */
export interface PruneReport {
  readonly models?: readonly string[];
  readonly vectors?: number;
  readonly bytes?: number;
}

/** The body of feedback over HTTP. */
export interface Rating {
  readonly vote: "helpful" | "unhelpful";
}

/** Lines `start_line`…`end_line` of a note; `text` keeps its own line ends, `hash` is the whole file's. `source` as in a hit. */
export interface ReadResult {
  readonly path: string;
  readonly hash: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly total_lines: number;
  readonly text: string;
  readonly heading?: readonly string[];
  readonly tier?: number;
  readonly source?: string | null;
}

/** Passages that state all of the names; where there is none, those that lie between them. */
export interface ReasonRequest {
  readonly entities: readonly string[];
  readonly role?: string;
  readonly limit?: number;
  readonly fuzzy?: boolean;
}

/** `unlinked`: only notes that it is not linked with, in either direction. */
export interface RelatedRequest {
  readonly path: string;
  readonly limit?: number;
  readonly max_wait?: number | null;
  readonly unlinked?: boolean;
}

/**
 * `text` becomes one line; `entities` are linked in it, `trust` is 0…1 and .5 unless told.
 *
 * `path` null: where the category has facts already, else a note of its name.
 */
export interface RememberRequest {
  readonly text: string;
  readonly category?: string | null;
  readonly tags?: readonly string[];
  readonly entities?: readonly string[];
  readonly trust?: number | null;
  readonly path?: string | null;
}

/** The fact as it stands now; `known` says that it was there already and nothing was written. */
export interface Remembered {
  readonly fact: Fact;
  readonly known: boolean;
}

/** A role that a name plays in `chunks` passages; `presence` is its mean over those that have a vector, null without. */
export interface RoleUse {
  readonly role: string;
  readonly chunks: number;
  readonly presence: number | null;
}

/**
 * One harmless text embedded, as it went in process `pid` (`workers` are the model's own). `trouble` is null when all is well.
 *
 * From `client` on it is about a service behind a network: `key_name` is the variable that `api_key_env` names, `key_source` where the
 * key was found ("environment" or "credentials"), `expected` and `received` are bytes of the answer. `norm` is the vector's as it came.
 */
export interface RouteReport {
  readonly provider: string;
  readonly model: string;
  readonly pid: number;
  readonly workers?: readonly number[];
  readonly seconds?: number;
  readonly dimension?: number | null;
  readonly norm?: number | null;
  readonly trouble?: string | null;
  readonly client?: string | null;
  readonly address?: string | null;
  readonly key_name?: string | null;
  readonly key_in_environment?: boolean;
  readonly key_source?: string | null;
  readonly proxies?: readonly Proxy[];
  readonly status?: number | null;
  readonly expected?: number | null;
  readonly received?: number;
}

/** `max_wait` seconds to wait for a cold model; null waits until it is ready. */
export interface SearchRequest {
  readonly query: string;
  readonly limit?: number;
  readonly mode?: "hybrid" | "lexical" | "semantic";
  readonly profile?: "coverage" | "rrf" | "weighted" | null;
  readonly explain?: boolean;
  readonly max_wait?: number | null;
}

export interface SearchResponse {
  readonly query: string;
  readonly took_ms: number;
  readonly degraded: readonly Degraded[];
  readonly results: readonly Hit[];
  readonly suggestion?: string | null;
}

/** The parts of a score. Lanes that did not speak are null; factors are 1.0 where they do not apply. */
export interface Signals {
  readonly lexical?: number | null;
  readonly semantic?: number | null;
  readonly jaccard?: number | null;
  readonly hrr?: number | null;
  readonly coverage?: number;
  readonly tier?: number;
  readonly trust?: number;
  readonly decay?: number;
}

/**
 * `state`: indexing (`done` of `total` notes), embedding (`pending` windows left), ready, vault-missing.
 *
 * `filling` is the model that is brought in behind `model` and takes over when it is complete. `rate` is windows per second over the
 * last minute, `eta_s` the seconds that all of what is pending takes at that rate; null where nothing was embedded lately.
 */
export interface Status {
  readonly vault: string;
  readonly state: string;
  readonly files: number;
  readonly chunks: number;
  readonly windows: number;
  readonly embedded: number;
  readonly pending: number;
  readonly generation: number;
  readonly model: ModelStatus;
  readonly memory_mb: number;
  readonly owner: string;
  readonly pid: number;
  readonly version: string;
  readonly watching: string;
  readonly done?: number;
  readonly total?: number;
  readonly failures?: readonly Failure[];
  readonly filling?: ModelStatus | null;
  readonly rate?: number | null;
  readonly eta_s?: number | null;
}

/** `old` stands in the note exactly `count` times and becomes `new`. Lines end in `\n` whatever the note's own line ends are. */
export interface TextEdit {
  readonly old: string;
  readonly new: string;
  readonly count?: number;
}

/** `bytes` is the note's size. `lines` are ranges of lines, as numbered now, that an edit or an append wrote; a hundred at most. */
export interface WriteResult {
  readonly path: string;
  readonly hash: string;
  readonly created: boolean;
  readonly bytes: number;
  readonly lines?: readonly (readonly [number, number])[];
}
