/** Remembering a text as a fact: what, under which category, with which tags. Must not write notes itself: the daemon does. */

import type { App } from "obsidian";
import { Modal, Notice, Setting } from "obsidian";
import type { Companion } from "../companion";
import { NoteFacts } from "../core/notefacts";

export class FactModal extends Modal {
  private category = "";
  private tags = "";

  constructor(
    app: App,
    private readonly companion: Companion,
    private text: string,
  ) {
    super(app);
  }

  override onOpen(): void {
    this.titleEl.setText("Remember as a fact");
    this.modalEl.addClass("hv-remember");
    const area = new Setting(this.contentEl).setName("Fact").setDesc("One sentence that is true without its note.");
    area.addTextArea((part) => part.setValue(this.text).onChange((text) => (this.text = text)));
    new Setting(this.contentEl).setName("Category").setDesc("A heading or note of your facts; left empty, the daemon chooses.").addText((part) => part.onChange((text) => (this.category = text)));
    new Setting(this.contentEl).setName("Tags").setDesc("Separated by spaces.").addText((part) => part.onChange((text) => (this.tags = text)));
    new Setting(this.contentEl).addButton((part) => part.setButtonText("Remember").setCta().onClick(() => this.save()));
  }

  override onClose(): void {
    this.contentEl.empty();
  }

  private async save(): Promise<void> {
    const facts = new NoteFacts(this.companion.connection);
    const tags = this.tags.split(/[\s,]+/).map((tag) => tag.replace(/^#/, "")).filter((tag) => tag !== "");
    try {
      const done = await facts.remember({ text: this.text, category: this.category.trim() || null, tags });
      new Notice(done.known ? `Known already: ${done.fact.path}` : `Remembered in ${done.fact.path}`);
      this.close();
    } catch (error) {
      this.companion.complain(error);
    } finally {
      facts.close();
    }
  }
}
