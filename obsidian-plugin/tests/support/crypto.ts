/**
 * WebCrypto that answers at once. The platform's own answers from a thread, so a test that waits for promises alone would race it; the contract
 * tests and the browser use the real one.
 */
import { createHmac, randomFillSync, timingSafeEqual } from "node:crypto";

const subtle = {
  importKey: (_format: "raw", key: Uint8Array) => Promise.resolve({ key }),
  verify: (_name: "HMAC", { key }: { readonly key: Uint8Array }, proof: Uint8Array, text: Uint8Array) => {
    const digest = createHmac("sha256", key).update(text).digest();
    return Promise.resolve(digest.length === proof.length && timingSafeEqual(digest, proof));
  },
};

export const instantCrypto = {
  getRandomValues: <T extends NodeJS.ArrayBufferView>(bytes: T): T => randomFillSync(bytes),
  subtle,
} as unknown as Crypto;
