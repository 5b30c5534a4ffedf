// The reading view: a note as rendered sections. A section knows the lines it was made of; no line and no cursor is left in it.
const HEADING = /^(#{1,6}) (.*)$/;

/** A heading is a section of its own, and so is each paragraph; front matter is not shown. */
export function sectionsOf(text: string): HTMLElement[] {
  const lines = text.split("\n");
  const begin = lines[0] === "---" ? lines.indexOf("---", 1) + 1 : 0;
  const made: HTMLElement[] = [];
  let from = begin;
  for (let at = begin; at <= lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "" || HEADING.test(line)) {
      made.push(...paragraph(lines, from, at), ...heading(line, at));
      from = at + 1;
    }
  }
  return made;
}

/** Scrolls to the section that has the line and lets it flash, as Obsidian does. */
export function showSection(preview: HTMLElement, line: number | undefined): void {
  const sections = [...preview.querySelectorAll<HTMLElement>("[data-from]")];
  const found = line === undefined ? undefined : sections.find(({ dataset }) => Number(dataset["to"]) > line);
  sections.forEach((section) => section.classList.toggle("is-flashing", section === found));
  found?.scrollIntoView({ block: "center" });
}

function paragraph(lines: readonly string[], from: number, to: number): HTMLElement[] {
  return from < to ? [section("p", lines.slice(from, to).join(" "), from, to)] : [];
}

function heading(line: string, at: number): HTMLElement[] {
  const [, marks, words] = HEADING.exec(line) ?? [];
  return marks === undefined ? [] : [section(`h${String(marks.length)}`, words ?? "", at, at + 1)];
}

function section(tag: string, text: string, from: number, to: number): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text.replace(/\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, "$1");
  Object.assign(made.dataset, { from: String(from), to: String(to) });
  return made;
}
