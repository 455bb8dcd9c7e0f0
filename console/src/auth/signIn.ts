import { type Attempt, challengeOf, newAttempt } from "./pkce";
import type { Settings } from "./settings";
import { exchange, type Tokens } from "./tokens";

/** Path to which the issuer sends people back. */
const RETURN_PATH = "/signed-in";
/** Holds the secrets of a sign-in while the issuer's page is open; never a token. */
const KEPT = "timegate.sign-in";

/** Returns the address of the issuer's page, and remembers the sign-in until it returns. */
export async function beginSignIn(settings: Settings, path: string): Promise<string> {
  const attempt = newAttempt(path);
  sessionStorage.setItem(KEPT, JSON.stringify(attempt));
  const query = new URLSearchParams({
    response_type: "code",
    client_id: settings.client_id,
    redirect_uri: returnAddress(),
    scope: settings.scopes.join(" "),
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await challengeOf(attempt.verifier),
    code_challenge_method: "S256",
  });
  return `${settings.authorize_url}?${query}`;
}

/** The end of a sign-in: tokens, and the path to return to. */
export interface SignedIn {
  tokens: Tokens;
  path: string;
}

/**
 * Ends the sign-in whose answer is in the page's address, and takes that out of the address.
 * Returns `null` where the address holds none; throws an `Error` for one that is not ours, that
 * the issuer refused, or whose code it does not accept.
 */
export async function endSignIn(settings: Settings, address: URL): Promise<SignedIn | null> {
  if (address.pathname !== RETURN_PATH) return null;
  const attempt = keptAttempt();
  history.replaceState(null, "", attempt?.path ?? "/");
  const answered = address.searchParams;
  // First: the words of an error are shown, and any page can send a browser here with some.
  if (attempt?.state !== answered.get("state")) {
    throw new Error("This sign-in was not begun in this window. Sign in again.");
  }
  const code = answered.get("code");
  if (code === null) throw new Error(answered.get("error_description") ?? answered.get("error") ?? "The issuer sent no code.");
  const tokens = await exchange(settings, {
    grant_type: "authorization_code",
    code,
    redirect_uri: returnAddress(),
    code_verifier: attempt.verifier,
  });
  // A code that was injected brings the ID token of another sign-in.
  if (tokens.nonce !== null && tokens.nonce !== attempt.nonce) {
    throw new Error("The issuer's answer belongs to another sign-in. Sign in again.");
  }
  return { tokens, path: attempt.path };
}

/** Returns the address that ends the issuer's own session. */
export function signOutAddress(settings: Settings): string {
  const query = new URLSearchParams({
    client_id: settings.client_id,
    logout_uri: `${location.origin}/signed-out`,
  });
  return `${settings.logout_url}?${query}`;
}

function returnAddress(): string {
  return `${location.origin}${RETURN_PATH}`;
}

function keptAttempt(): Attempt | null {
  try {
    const text = sessionStorage.getItem(KEPT);
    sessionStorage.removeItem(KEPT);
    return text === null ? null : (JSON.parse(text) as Attempt);
  } catch {
    // A sign-in that cannot be read is none of this window.
    return null;
  }
}
