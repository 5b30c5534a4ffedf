/** Passages as text for elsewhere: an address, a link, a bundle for a chat. Pure. */

import type { Row } from "./rows";
import { headingLabel } from "./rows";

/** What a link needs to know of a passage. */
export type Target = Pick<Row, "path" | "heading" | "fact">;

export interface BundlePart {
  readonly row: Row;
  /** Its text, null where it could not be read. */
  readonly text: string | null;
}

// Ids that the daemon derives for facts without one stand in no note.
const DERIVED = "_";

/** `Projects/plan.md:42-77`, as editors and agents take it. */
export function asPathLines(row: Pick<Row, "path" | "start" | "end">): string {
  return row.start === row.end ? `${row.path}:${row.start}` : `${row.path}:${row.start}-${row.end}`;
}

/** What follows the note in a link: `#^id` of a fact, `#heading`, or "". `exact` are the headings to name instead of the passage's last. */
export function subpathOf(target: Target, exact: readonly string[] = target.heading.slice(-1)): string {
  if (target.fact !== null && target.fact.id !== "" && !target.fact.id.startsWith(DERIVED)) {
    return `#^${target.fact.id.replace(/^\^/, "")}`;
  }
  const names = exact.map(linkable).filter((name) => name !== "");
  return names.map((name) => `#${name}`).join("");
}

/** `[[Projects/plan#Storage]]`: by path, so that it means one note wherever it is put. */
export function asWikilink(target: Target): string {
  return `[[${target.path.replace(/\.md$/i, "")}${subpathOf(target)}]]`;
}

/** Passages with their addresses, for a chat that shall answer from them. `question` "" leaves its line out. */
export function asBundle(parts: readonly BundlePart[], question: string): string {
  const head = question.trim() === "" ? [] : [`Question: ${question.trim()}\n`];
  return [...head, ...parts.map((part, index) => section(part, index + 1))].join("\n");
}

function section({ row, text }: BundlePart, number: number): string {
  const heading = headingLabel(row);
  const tags = row.tags.map((tag) => `#${tag.replace(/^#/, "")}`).join(" ");
  const facts = [`Source: ${asPathLines(row)}`, heading && `Heading: ${heading}`, tags && `Tags: ${tags}`].filter((fact) => fact !== "");
  return `### ${number}. ${oneLine(row.title)}\n\n${facts.join("\n")}\n\n${text === null ? "(This passage could not be read.)" : fenced(text)}\n`;
}

/** A fence that nothing inside can close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}markdown\n${text.replace(/\s+$/, "")}\n${fence}`;
}

/** A heading as links write it: the characters that end or divide a link become spaces. */
function linkable(heading: string): string {
  return oneLine(heading.replace(/[#|^:\\]|%%|\[\[|\]\]/g, " "));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
