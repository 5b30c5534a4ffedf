/** How a later answer joins the rows that are shown already. Pure. */

export interface Keyed {
  readonly key: string;
}

/**
 * The arrived rows, best first, except that the row at `held` and all above it stay where they are: what a person points at does not
 * move away. A row above it that the later answer left out stays as well; it was an answer too.
 */
export function joined<R extends Keyed>(shown: readonly R[], arrived: readonly R[], held: string | null): readonly R[] {
  const last = held === null ? -1 : shown.findIndex(({ key }) => key === held);
  if (last < 0) {
    return arrived;
  }
  const latest = new Map(arrived.map((row) => [row.key, row]));
  const kept = shown.slice(0, last + 1).map((row) => latest.get(row.key) ?? row);
  const taken = new Set(kept.map(({ key }) => key));
  return [...kept, ...arrived.filter(({ key }) => !taken.has(key))];
}
