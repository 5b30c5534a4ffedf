/** A value that tells when it changes. Must not know what the value means. */

import type { Cancel } from "./ports";

export interface Readable<T> {
  readonly value: T;
  /** Calls `listener` after each change, not now. */
  subscribe(listener: (value: T) => void): Cancel;
}

/** A value that can be set. Setting what it already is tells nobody. */
export class Cell<T> implements Readable<T> {
  private readonly listeners = new Set<(value: T) => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set(value: T): void {
    if (Object.is(value, this.current)) {
      return;
    }
    this.current = value;
    for (const listener of [...this.listeners]) {
      listener(value);
    }
  }

  subscribe(listener: (value: T) => void): Cancel {
    // Wrapped, so that one function given twice is two subscriptions.
    const mine = (value: T) => {
      listener(value);
    };
    this.listeners.add(mine);
    return () => {
      this.listeners.delete(mine);
    };
  }
}
