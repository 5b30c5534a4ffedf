/** One daemon's door: address, token, the proof, and a time limit on every request. Must not know any route but the handshake. */

import type { Ports, WireResponse } from "./ports";
import { DaemonProblem, objectIn, problemFrom, problemOf } from "./problems";
import { canProve, nonce, proven } from "./proof";
import type { Health } from "./protocol";

/** Number of the HTTP contract that this plugin speaks. */
export const PROTOCOL = 1;

const HEALTH_MS = 8_000;
export const REQUEST_MS = 60_000;
// The token goes only to who has just proven to have it; over TLS the certificate says so as well.
const PROOF_AGE_MS = 2_000;
const SECURE_PROOF_AGE_MS = 60_000;

const UNKNOWN =
  "Whoever answers at this address does not know the token that is set here, so nothing was sent there. On the daemon's machine, holovault token add NAME makes another one.";

/** Where a daemon answers. `bootId` is what its run file says, null where there is none to read. */
export interface Address {
  readonly url: string;
  readonly token: string;
  readonly bootId: string | null;
}

export interface Ask {
  readonly method: string;
  readonly target: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

export class Door {
  private provenAt = Number.NEGATIVE_INFINITY;
  private readonly proofAge: number;

  constructor(
    readonly address: Address,
    private readonly ports: Ports,
  ) {
    this.proofAge = address.url.startsWith("https:") ? SECURE_PROOF_AGE_MS : PROOF_AGE_MS;
  }

  /**
   * The handshake: a nonce, and no token before the answer proves that the other side has it. The health that comes back is the one a
   * stranger sees: `vault` is a folder's name.
   */
  async health(): Promise<Health> {
    const text = nonce(this.ports.crypto);
    const answer = await this.send({ method: "GET", target: `/v1/health?nonce=${text}`, timeoutMs: HEALTH_MS }, {});
    const health = decoded(answer, ["protocol", "version", "boot_id", "vault"]) as unknown as Health;
    await this.check(health, text);
    this.provenAt = this.ports.timers.now();
    return health;
  }

  /** The JSON that answers `ask`. Rejects with a DaemonProblem. */
  async ask<T>(ask: Ask): Promise<T> {
    if (this.ports.timers.now() - this.provenAt > this.proofAge) {
      await this.health();
    }
    const answer = await this.send(ask, { Authorization: `Bearer ${this.address.token}` });
    this.provenAt = this.ports.timers.now();
    return decoded(answer, []) as T;
  }

  private async check(health: Health, text: string): Promise<void> {
    if (!canProve(this.ports.crypto)) {
      if (this.address.url.startsWith("https:")) {
        return;
      }
      throw new DaemonProblem("imposter", "This device can only prove who answers at an https address. Use one.");
    }
    const { token, bootId } = this.address;
    const itself = await proven(this.ports.crypto, token, text, proofsIn(health, bootId !== null));
    if (itself && (bootId === null || bootId === health.boot_id)) {
      return;
    }
    // Without a run file nobody can tell a daemon that has removed this token from a stranger.
    if (bootId === null) {
      throw new DaemonProblem("unauthorised", UNKNOWN);
    }
    throw new DaemonProblem("imposter", "Another program answers at the daemon's port. Nothing was sent to it.");
  }

  private async send(ask: Ask, authorization: Record<string, string>): Promise<WireResponse> {
    const body = ask.body === undefined ? {} : { body: JSON.stringify(ask.body) };
    const type: Record<string, string> = ask.body === undefined ? {} : { "Content-Type": "application/json" };
    const url = this.address.url + ask.target;
    try {
      const sent = this.ports.request({ url, method: ask.method, headers: { ...type, ...ask.headers, ...authorization }, ...body });
      return await this.inTime(sent, ask.timeoutMs ?? REQUEST_MS);
    } catch (error) {
      this.provenAt = Number.NEGATIVE_INFINITY;
      throw problemOf(error);
    }
  }

  /** Obsidian's request cannot be taken back: what comes too late is dropped. */
  private inTime(sent: Promise<WireResponse>, ms: number): Promise<WireResponse> {
    return new Promise((resolve, reject) => {
      const cancel = this.ports.timers.after(ms, () => {
        reject(new DaemonProblem("timeout", `The daemon has not answered within ${Math.round(ms / 1000)} s.`));
      });
      sent.then(resolve, (error: unknown) => {
        reject(problemOf(error));
      }).finally(cancel);
    });
  }
}

/** A token of a run file is that of this start; any other may be a long-lived one as well, and an older daemon proves none of those. */
function proofsIn(health: Health, ofThisStart: boolean): readonly string[] {
  const lasting: unknown = health.proofs;
  const others = ofThisStart || !Array.isArray(lasting) ? [] : lasting.filter((proof) => typeof proof === "string");
  return [typeof health.proof === "string" ? health.proof : "", ...others];
}

function decoded(answer: WireResponse, fields: readonly string[]): Readonly<Record<string, unknown>> {
  if (answer.status >= 400) {
    throw problemFrom(answer.status, answer.text);
  }
  const value = objectIn(answer.text);
  if (value === null || fields.some((field) => !(field in value))) {
    throw new DaemonProblem("unreadable", "What answers at this address is not a Holovault daemon. Look at the address, then test the connection.");
  }
  return value;
}
