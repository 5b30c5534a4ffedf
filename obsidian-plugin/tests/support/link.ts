/** A connection in memory: questions go to a fake daemon without a handshake in between. */
import type { Daemon } from "../../src/core/daemon";
import { Daemon as RealDaemon } from "../../src/core/daemon";
import { Door } from "../../src/core/door";
import type { Link } from "../../src/core/link";
import type { IndexChange } from "../../src/core/news";
import { Cell } from "../../src/core/observable";
import type { Situation } from "../../src/core/situations";
import type { Clock } from "./clock";
import { instantCrypto } from "./crypto";
import type { FakeDaemon } from "./daemon";

export class FakeLink implements Link {
  readonly situation = new Cell<Situation>({ kind: "ready", notes: 12, meaning: true });
  readonly changes = new Cell<IndexChange | null>(null);
  private readonly daemon: Daemon;

  constructor(fake: FakeDaemon, clock: Clock) {
    const ports = { request: fake.request, timers: clock, disk: null, crypto: instantCrypto };
    this.daemon = new RealDaemon(new Door({ url: `http://127.0.0.1:${fake.port}`, token: fake.token, bootId: null }, ports));
  }

  ask<T>(question: (daemon: Daemon) => Promise<T>): Promise<T> {
    return question(this.daemon);
  }
}
