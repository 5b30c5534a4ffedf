// Components, events, menus, notices, modals and settings of the shim.
type Call = (...given: unknown[]) => unknown;

export interface Ref {
  off(): void;
}

export class Events {
  private readonly calls = new Map<string, Set<Call>>();

  on(name: string, call: Call): Ref {
    const list = this.calls.get(name) ?? new Set();
    this.calls.set(name, list.add(call));
    return { off: () => list.delete(call) };
  }

  offref(ref: Ref): void {
    ref.off();
  }

  trigger(name: string, ...given: unknown[]): void {
    for (const call of [...(this.calls.get(name) ?? [])]) {
      call(...given);
    }
  }
}

export class Component {
  private readonly ends: (() => void)[] = [];
  private readonly children: Component[] = [];

  load(): void {
    void this.onload();
  }

  onload(): void | Promise<void> {
    return undefined;
  }

  unload(): void {
    this.children.splice(0).forEach((child) => child.unload());
    this.ends.splice(0).forEach((end) => end());
    this.onunload();
  }

  onunload(): void {
    return undefined;
  }

  addChild<Child extends Component>(child: Child): Child {
    this.children.push(child);
    child.load();
    return child;
  }

  removeChild(child: Component): void {
    this.children.splice(this.children.indexOf(child), 1);
    child.unload();
  }

  register(end: () => void): void {
    this.ends.push(end);
  }

  registerEvent(ref: Ref): void {
    this.register(() => ref.off());
  }

  registerInterval(number: number): number {
    this.register(() => window.clearInterval(number));
    return number;
  }

  registerDomEvent(target: EventTarget, name: string, call: (event: Event) => void, options?: AddEventListenerOptions): void {
    target.addEventListener(name, call, options);
    this.register(() => target.removeEventListener(name, call, options));
  }
}

export class Scope {
  register(): null {
    return null;
  }
}

export const Keymap = {
  isModifier(event: KeyboardEvent | MouseEvent, name: string): boolean {
    return name === "Mod" || name === "Ctrl" ? event.ctrlKey : name === "Alt" ? event.altKey : name === "Shift" ? event.shiftKey : event.metaKey;
  },
  isModEvent(event?: KeyboardEvent | MouseEvent | null): false | "tab" | "split" | "window" {
    if (event === null || event === undefined) {
      return false;
    }
    const middle = event instanceof MouseEvent && event.button === 1;
    if (!event.ctrlKey && !middle) {
      return false;
    }
    return event.altKey ? (event.shiftKey ? "window" : "split") : "tab";
  },
};

export class MenuItem {
  readonly element = document.createElement("div");
  private call: ((event: Event) => void) | null = null;

  constructor() {
    this.element.className = "menu-item";
    this.element.setAttribute("role", "menuitem");
    this.element.addEventListener("click", (event) => {
      document.querySelector(".menu")?.remove();
      this.call?.(event);
    });
  }

  setTitle(text: string): this {
    this.element.textContent = text;
    return this;
  }

  setIcon(): this {
    return this;
  }

  setSection(): this {
    return this;
  }

  setChecked(on: boolean): this {
    this.element.setAttribute("aria-checked", String(on));
    return this;
  }

  setDisabled(): this {
    return this;
  }

  onClick(call: (event: Event) => void): this {
    this.call = call;
    return this;
  }
}

export class Menu extends Component {
  private readonly element = document.createElement("div");

  addItem(make: (item: MenuItem) => void): this {
    const item = new MenuItem();
    make(item);
    this.element.append(item.element);
    return this;
  }

  addSeparator(): this {
    this.element.append(document.createElement("hr"));
    return this;
  }

  onHide(): void {
    return undefined;
  }

  showAtMouseEvent(event: MouseEvent): this {
    return this.showAtPosition({ x: event.clientX, y: event.clientY });
  }

  showAtPosition(place: { x: number; y: number }): this {
    document.querySelector(".menu")?.remove();
    this.element.className = "menu";
    this.element.style.insetInlineStart = `${String(place.x)}px`;
    this.element.style.insetBlockStart = `${String(place.y)}px`;
    document.body.append(this.element);
    return this;
  }
}

export class Notice {
  readonly messageEl = document.createElement("div");

  constructor(message: string | DocumentFragment) {
    this.messageEl.className = "notice";
    this.messageEl.setAttribute("role", "alert");
    this.messageEl.append(message);
    document.querySelector(".notice-container")?.append(this.messageEl);
  }

  setMessage(message: string): this {
    this.messageEl.replaceChildren(message);
    return this;
  }

  hide(): void {
    this.messageEl.remove();
  }
}

export class Modal {
  readonly containerEl = document.createElement("div");
  readonly modalEl = document.createElement("div");
  readonly titleEl = document.createElement("h2");
  readonly contentEl = document.createElement("div");
  readonly scope = new Scope();

  constructor(readonly app: unknown) {
    this.containerEl.className = "modal-container";
    this.modalEl.className = "modal";
    this.modalEl.setAttribute("role", "dialog");
    this.modalEl.append(this.titleEl, this.contentEl);
    this.containerEl.append(this.modalEl);
  }

  setTitle(text: string): this {
    this.titleEl.textContent = text;
    return this;
  }

  open(): void {
    document.body.append(this.containerEl);
    this.onOpen();
  }

  close(): void {
    this.containerEl.remove();
    this.onClose();
  }

  onOpen(): void {
    return undefined;
  }

  onClose(): void {
    return undefined;
  }
}
