import { deadline } from "../api/deadline";
import type { Settings } from "./settings";

/** Tokens of a session; they are kept in memory alone. */
export interface Tokens {
  access: string;
  refresh: string | null;
  /** Nonce of the ID token; null: the issuer sent none. */
  nonce: string | null;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

interface Granted {
  access_token?: string;
  refresh_token?: string;
  id_token?: string;
  expires_in?: number;
}

/** A token whose lifetime the issuer does not state is renewed after so long (RFC 6749, 5.1, leaves it out of what is required). */
const UNSTATED_SECONDS = 300;

/** A refusal of the issuer: it would refuse the same grant again. */
export class GrantRefused extends Error {}

/** Asks the issuer for tokens; throws `GrantRefused` where it refuses them, and another `Error` where it is away. */
export async function exchange(settings: Settings, grant: Record<string, string>): Promise<Tokens> {
  const answer = await fetch(settings.token_url, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ client_id: settings.client_id, ...grant }),
    signal: deadline(),
  });
  if (isAway(answer.status)) throw new Error(`The issuer is away (${answer.status}).`);
  if (!answer.ok) throw new GrantRefused(`The issuer refused the sign-in (${answer.status}).`);
  const granted = (await answer.json()) as Granted;
  if (granted.access_token === undefined) throw new GrantRefused("The issuer's answer to the sign-in has no token.");
  return {
    access: granted.access_token,
    refresh: granted.refresh_token ?? grant.refresh_token ?? null,
    nonce: nonceOf(granted.id_token),
    expiresAt: Date.now() + (granted.expires_in ?? UNSTATED_SECONDS) * 1_000,
  };
}

const isAway = (status: number): boolean => status >= 500 || status === 408 || status === 429;

/** Reads the nonce of an ID token, which came from the issuer itself over TLS. */
function nonceOf(token: string | undefined): string | null {
  const [, payload] = token?.split(".") ?? [];
  if (payload === undefined) return null;
  try {
    const text = atob(payload.replaceAll("-", "+").replaceAll("_", "/"));
    const { nonce } = JSON.parse(text) as { nonce?: unknown };
    return typeof nonce === "string" ? nonce : null;
  } catch {
    return null;
  }
}
