/** Passages that a person collects, to copy them together. Must not read notes itself. */

import { asBundle } from "./copy";
import type { Readable } from "./observable";
import { Cell } from "./observable";
import type { Row } from "./rows";

/** Reads the text of a passage as it is now; rejects where it is gone. */
export type ReadPassage = (row: Row) => Promise<string>;

export class Tray {
  private readonly cell = new Cell<readonly Row[]>([]);

  get rows(): Readable<readonly Row[]> {
    return this.cell;
  }

  has(key: string): boolean {
    return this.cell.value.some((row) => row.key === key);
  }

  add(row: Row): void {
    if (!this.has(row.key)) {
      this.cell.set([...this.cell.value, row]);
    }
  }

  remove(key: string): void {
    if (this.has(key)) {
      this.cell.set(this.cell.value.filter((row) => row.key !== key));
    }
  }

  toggle(row: Row): void {
    if (this.has(row.key)) {
      this.remove(row.key);
    } else {
      this.add(row);
    }
  }

  clear(): void {
    if (this.cell.value.length > 0) {
      this.cell.set([]);
    }
  }

  /** All of it as one text for a chat. A passage that cannot be read is named all the same. */
  async bundle(read: ReadPassage, question = ""): Promise<string> {
    const parts = await Promise.all(this.cell.value.map(async (row) => ({ row, text: await read(row).catch(() => null) })));
    return asBundle(parts, question);
  }
}
