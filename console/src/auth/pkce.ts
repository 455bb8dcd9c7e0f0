/** Secrets of one sign-in (RFC 7636): they prove that who began it also ends it. */
export interface Attempt {
  verifier: string;
  state: string;
  /** Comes back in the issuer's ID token (OpenID Connect Core, 3.1.2.1). */
  nonce: string;
  /** Path of the console to return to. */
  path: string;
}

const VERIFIER_BYTES = 48;
const STATE_BYTES = 24;

/** Begins a sign-in that returns to `path`. */
export function newAttempt(path: string): Attempt {
  return { verifier: random(VERIFIER_BYTES), state: random(STATE_BYTES), nonce: random(STATE_BYTES), path };
}

/** Returns the challenge of a verifier: its SHA-256 in Base64 for URLs. */
export async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return encoded(new Uint8Array(digest));
}

function random(bytes: number): string {
  return encoded(crypto.getRandomValues(new Uint8Array(bytes)));
}

function encoded(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
