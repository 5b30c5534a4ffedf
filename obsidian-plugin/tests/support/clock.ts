/** A clock that stands until a test moves it. */
import type { Cancel, Timers } from "../../src/core/ports";

interface Alarm {
  readonly at: number;
  readonly run: () => void;
}

export class Clock implements Timers {
  private time = 1_000_000;
  private readonly alarms = new Set<Alarm>();

  now(): number {
    return this.time;
  }

  after(ms: number, run: () => void): Cancel {
    const alarm = { at: this.time + ms, run };
    this.alarms.add(alarm);
    return () => {
      this.alarms.delete(alarm);
    };
  }

  /** How long until the next alarms, in order. */
  get waits(): readonly number[] {
    return [...this.alarms].map(({ at }) => at - this.time).sort((one, other) => one - other);
  }

  /** Moves on, rings what is due in order, and lets every promise settle in between. */
  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    await settled();
    for (let next = this.due(end); next !== undefined; next = this.due(end)) {
      this.time = Math.max(this.time, next.at);
      this.alarms.delete(next);
      next.run();
      await settled();
    }
    this.time = end;
  }

  private due(end: number): Alarm | undefined {
    return [...this.alarms].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
  }
}

/** Every promise that can settle without a clock, a thread or a socket has settled: a turn of the loop begins when none is left. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
