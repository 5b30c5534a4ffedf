/** The proof that whoever answers knows the token: HMAC-SHA256(token, nonce), RFC 2104. Must not send anything. */

const NONCE_BYTES = 16;
// The daemon sends one for this start and 32 for long-lived tokens; whoever sends more is no daemon.
const MOST_PROOFS = 64;

/** A nonce that nobody has used. */
export function nonce(crypto: Crypto): string {
  return hex(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
}

/** Whether this platform can check a proof: browsers offer WebCrypto in secure contexts only. */
export function canProve(crypto: Crypto): boolean {
  return (crypto.subtle as SubtleCrypto | undefined) !== undefined;
}

/** Whether one of `proofs` is the lower-case hex HMAC-SHA256 of `text` under `token`. */
export async function proven(crypto: Crypto, token: string, text: string, proofs: readonly string[]): Promise<boolean> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", encoder.encode(token), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  const given = proofs.slice(0, MOST_PROOFS).flatMap((proof) => bytesOf(proof) ?? []);
  const same = await Promise.all(given.map((bytes) => crypto.subtle.verify("HMAC", key, bytes, encoder.encode(text))));
  return same.includes(true);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  const pairs = /^(?:[0-9a-f]{2})+$/.test(text) ? text.match(/../g) : null;
  return pairs && Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}
