// Obsidian's own additions to the DOM, as far as the plugin uses them.
interface Options {
  cls?: string | string[];
  text?: string | DocumentFragment;
  attr?: Record<string, string | number | boolean | null>;
  type?: string;
  value?: string;
  placeholder?: string;
  title?: string;
  href?: string;
}

function fill(element: HTMLElement, options?: Options | string): void {
  const given: Options = typeof options === "string" ? { cls: options } : (options ?? {});
  const classes = typeof given.cls === "string" ? given.cls.split(" ") : (given.cls ?? []);
  element.classList.add(...classes.filter((name) => name !== ""));
  if (given.text !== undefined) {
    element.append(given.text);
  }
  for (const [name, value] of Object.entries(given.attr ?? {})) {
    if (value !== null) {
      element.setAttribute(name, String(value));
    }
  }
  for (const name of ["type", "value", "placeholder", "title", "href"] as const) {
    const value = given[name];
    if (value !== undefined) {
      element.setAttribute(name, value);
    }
  }
}

function create(tag: string, options?: Options | string): HTMLElement {
  const made = document.createElement(tag);
  fill(made, options);
  return made;
}

const additions: Record<string, (this: HTMLElement, ...given: never[]) => unknown> = {
  createEl(tag: string, options?: Options | string) {
    return this.appendChild(create(tag, options));
  },
  createDiv(options?: Options | string) {
    return this.appendChild(create("div", options));
  },
  createSpan(options?: Options | string) {
    return this.appendChild(create("span", options));
  },
  appendText(text: string) {
    this.append(text);
  },
  setText(text: string | DocumentFragment) {
    this.replaceChildren(text);
  },
  getText() {
    return this.textContent;
  },
  empty() {
    this.replaceChildren();
  },
  detach() {
    this.remove();
  },
  addClass(...names: string[]) {
    this.classList.add(...names);
  },
  removeClass(...names: string[]) {
    this.classList.remove(...names);
  },
  hasClass(name: string) {
    return this.classList.contains(name);
  },
  toggleClass(names: string | string[], on: boolean) {
    for (const name of Array.isArray(names) ? names : [names]) {
      this.classList.toggle(name, on);
    }
  },
  setAttr(name: string, value: string | number | boolean | null) {
    if (value === null) {
      this.removeAttribute(name);
    } else {
      this.setAttribute(name, String(value));
    }
  },
  toggle(shown: boolean) {
    this.hidden = !shown;
  },
  isShown() {
    return this.offsetParent !== null;
  },
  instanceOf(kind: new () => unknown) {
    return this instanceof kind;
  },
};

export function extendDom(): void {
  for (const [name, value] of Object.entries(additions)) {
    for (const kind of [HTMLElement.prototype, DocumentFragment.prototype]) {
      Object.defineProperty(kind, name, { value, writable: true, configurable: true });
    }
  }
  Object.defineProperty(Node.prototype, "doc", { get(this: Node) { return this.ownerDocument ?? document; }, configurable: true });
  Object.defineProperty(Node.prototype, "win", { get() { return window; }, configurable: true });
  Object.defineProperty(UIEvent.prototype, "instanceOf", { value(this: UIEvent, kind: new () => unknown) { return this instanceof kind; } });
  Object.assign(window, {
    activeWindow: window,
    activeDocument: document,
    createEl: create,
    createDiv: (options?: Options | string) => create("div", options),
    createSpan: (options?: Options | string) => create("span", options),
    createFragment: (call?: (made: DocumentFragment) => void) => {
      const made = document.createDocumentFragment();
      call?.(made);
      return made;
    },
  });
}
