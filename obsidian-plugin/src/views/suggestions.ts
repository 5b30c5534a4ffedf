/** What opens below the search field: filters that fit at the cursor, and searches made before. Must not search. */

import type { Companion } from "../companion";
import { matchingRecents } from "../core/search/recents";
import type { Suggestion } from "../core/search/suggest";
import { suggest } from "../core/search/suggest";
import { known } from "../platform/vocabulary";

export class Suggestions {
  private readonly box: HTMLElement;
  private tips: readonly Suggestion[] = [];
  private chosen = -1;

  constructor(
    parent: HTMLElement,
    private readonly input: HTMLInputElement,
    private readonly companion: Companion,
    private readonly id: string,
    private readonly take: (query: string) => void,
  ) {
    this.box = parent.createDiv({ cls: "hv-suggestions", attr: { role: "listbox", id, "aria-label": "Suggestions" } });
    this.box.addEventListener("mousedown", (event) => event.preventDefault());
    this.box.addEventListener("click", (event) => {
      const row = event.target !== null && "closest" in event.target ? (event.target as HTMLElement).closest<HTMLElement>(".hv-suggestion") : null;
      const tip = row === null ? undefined : this.tips[Number(row.dataset["number"])];
      if (tip !== undefined) {
        this.accept(tip);
      }
    });
    input.addEventListener("blur", () => this.hide());
  }

  get shown(): boolean {
    return this.tips.length > 0;
  }

  /** Something was typed. */
  typed(): void {
    const { value, selectionStart } = this.input;
    this.show(suggest(value, selectionStart ?? value.length, known(this.companion.app)));
  }

  hide(): void {
    this.show([]);
  }

  /** Whether the key was for the suggestions. Enter takes one only after an arrow chose it: else it opens what was found. */
  key(event: KeyboardEvent): boolean {
    if (event.isComposing) {
      return false;
    }
    if (event.key === "ArrowDown" && this.input.value === "" && !this.shown) {
      this.show(matchingRecents(this.companion.recents.list, "").map((query) => ({ text: query, detail: "", query, cursor: query.length })));
      return this.shown;
    }
    if (!this.shown) {
      return false;
    }
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    // The beginning of a filter's name is a word as well, and arrows go to what it found.
    if (by !== 0 && this.tips[0]?.text.endsWith(":") !== true && !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey) {
      this.choose((this.chosen + by + this.tips.length + (this.chosen < 0 && by < 0 ? 1 : 0)) % this.tips.length);
      return true;
    }
    const tip = this.tips[Math.max(this.chosen, 0)];
    if (tip !== undefined && (event.key === "Tab" || (event.key === "Enter" && this.chosen >= 0)) && !event.shiftKey) {
      this.accept(tip);
      return true;
    }
    if (event.key === "Escape") {
      this.hide();
      return true;
    }
    return false;
  }

  private accept(tip: Suggestion): void {
    this.hide();
    this.take(tip.query);
    this.input.setSelectionRange(tip.cursor, tip.cursor);
    this.input.focus();
    this.typed();
  }

  private show(tips: readonly Suggestion[]): void {
    if (tips.length === 0 && this.tips.length === 0) {
      return;
    }
    this.tips = tips;
    this.chosen = -1;
    this.box.empty();
    this.box.toggleClass("is-shown", tips.length > 0);
    tips.forEach(({ text, detail }, number) => {
      const row = this.box.createDiv({ cls: "hv-suggestion", attr: { role: "option", id: `${this.id}-${String(number)}`, "data-number": String(number), "aria-selected": "false" } });
      row.createSpan({ text });
      row.createSpan({ cls: "hv-suggestion-about", text: detail });
    });
  }

  private choose(number: number): void {
    this.chosen = number;
    Array.from(this.box.children).forEach((row, index) => {
      row.toggleClass("is-selected", index === number);
      row.setAttr("aria-selected", String(index === number));
      if (index === number) {
        row.scrollIntoView({ block: "nearest" });
        this.input.setAttr("aria-activedescendant", row.id);
      }
    });
  }
}
