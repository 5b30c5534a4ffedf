/** A lane for questions: one on its way at a time, and of those that wait only the last one goes. Must not know what is asked. */

export class Lane {
  private running = false;
  private waiting: (() => Promise<void>) | null = null;

  /** Runs `job` now, or after the one on its way unless a later one comes before that. */
  run(job: () => Promise<void>): void {
    if (this.running) {
      this.waiting = job;
      return;
    }
    this.running = true;
    void this.drain(job);
  }

  /** Forgets the job that waits. */
  clear(): void {
    this.waiting = null;
  }

  private async drain(first: () => Promise<void>): Promise<void> {
    try {
      for (let job: (() => Promise<void>) | null = first; job !== null; job = this.next()) {
        await job();
      }
    } finally {
      this.running = false;
    }
  }

  private next(): (() => Promise<void>) | null {
    const job = this.waiting;
    this.waiting = null;
    return job;
  }
}
