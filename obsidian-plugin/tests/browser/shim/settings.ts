// Rows of settings: enough to fill them in and press their buttons.
type Change<Value> = (value: Value) => unknown;

class Text {
  readonly inputEl: HTMLInputElement | HTMLTextAreaElement;

  constructor(row: HTMLElement, area = false, kind = "text") {
    this.inputEl = document.createElement(area ? "textarea" : "input");
    if (!area) {
      this.inputEl.setAttribute("type", kind);
    }
    row.append(this.inputEl);
  }

  setValue(value: string): this {
    this.inputEl.value = value;
    return this;
  }

  getValue(): string {
    return this.inputEl.value;
  }

  setPlaceholder(text: string): this {
    this.inputEl.placeholder = text;
    return this;
  }

  onChange(call: Change<string>): this {
    this.inputEl.addEventListener("input", () => call(this.inputEl.value));
    return this;
  }

  setDisabled(off: boolean): this {
    this.inputEl.disabled = off;
    return this;
  }
}

/** Obsidian's search field. */
export class SearchComponent extends Text {
  readonly clearButtonEl: HTMLElement;

  constructor(parent: HTMLElement) {
    const box = document.createElement("div");
    box.className = "search-input-container";
    parent.append(box);
    super(box, false, "search");
    this.clearButtonEl = document.createElement("div");
    this.clearButtonEl.className = "search-input-clear-button";
    box.append(this.clearButtonEl);
  }
}

class Toggle {
  readonly toggleEl = document.createElement("input");

  constructor(row: HTMLElement) {
    this.toggleEl.type = "checkbox";
    row.append(this.toggleEl);
  }

  setValue(on: boolean): this {
    this.toggleEl.checked = on;
    return this;
  }

  onChange(call: Change<boolean>): this {
    this.toggleEl.addEventListener("change", () => call(this.toggleEl.checked));
    return this;
  }
}

class Dropdown {
  readonly selectEl = document.createElement("select");

  constructor(row: HTMLElement) {
    row.append(this.selectEl);
  }

  addOption(value: string, text: string): this {
    this.selectEl.append(new Option(text, value));
    return this;
  }

  addOptions(options: Record<string, string>): this {
    Object.entries(options).forEach(([value, text]) => this.addOption(value, text));
    return this;
  }

  setValue(value: string): this {
    this.selectEl.value = value;
    return this;
  }

  onChange(call: Change<string>): this {
    this.selectEl.addEventListener("change", () => call(this.selectEl.value));
    return this;
  }
}

class Button {
  readonly buttonEl = document.createElement("button");

  constructor(row: HTMLElement) {
    row.append(this.buttonEl);
  }

  setButtonText(text: string): this {
    this.buttonEl.textContent = text;
    return this;
  }

  setCta(): this {
    this.buttonEl.classList.add("mod-cta");
    return this;
  }

  setIcon(): this {
    return this;
  }

  setTooltip(text: string): this {
    this.buttonEl.setAttribute("aria-label", text);
    return this;
  }

  setDisabled(off: boolean): this {
    this.buttonEl.disabled = off;
    return this;
  }

  onClick(call: (event: MouseEvent) => unknown): this {
    this.buttonEl.addEventListener("click", call);
    return this;
  }
}

/** One row. */
export class Setting {
  readonly settingEl = document.createElement("div");
  readonly nameEl = document.createElement("div");
  readonly descEl = document.createElement("div");
  readonly controlEl = document.createElement("div");

  constructor(parent: HTMLElement) {
    this.settingEl.className = "setting-item";
    this.settingEl.append(this.nameEl, this.descEl, this.controlEl);
    parent.append(this.settingEl);
  }

  setName(text: string): this {
    this.nameEl.textContent = text;
    return this;
  }

  setDesc(text: string | DocumentFragment): this {
    this.descEl.replaceChildren(text);
    return this;
  }

  setHeading(): this {
    this.settingEl.classList.add("setting-item-heading");
    return this;
  }

  setClass(name: string): this {
    this.settingEl.classList.add(name);
    return this;
  }

  private add<Part>(part: Part, call: (part: Part) => unknown): this {
    call(part);
    return this;
  }

  addText(call: (part: Text) => unknown): this {
    return this.add(new Text(this.controlEl), call);
  }

  addTextArea(call: (part: Text) => unknown): this {
    return this.add(new Text(this.controlEl, true), call);
  }

  addToggle(call: (part: Toggle) => unknown): this {
    return this.add(new Toggle(this.controlEl), call);
  }

  addDropdown(call: (part: Dropdown) => unknown): this {
    return this.add(new Dropdown(this.controlEl), call);
  }

  addButton(call: (part: Button) => unknown): this {
    return this.add(new Button(this.controlEl), call);
  }

  addExtraButton(call: (part: Button) => unknown): this {
    return this.add(new Button(this.controlEl), call);
  }
}

/** An old Obsidian's tab: it knows `display` only. */
export class PluginSettingTab {
  readonly containerEl = document.createElement("div");

  constructor(readonly app: unknown, readonly plugin: unknown) {}
}
