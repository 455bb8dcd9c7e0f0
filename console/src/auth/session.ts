import { keepDrafts } from "./drafts";
import { beginSignIn, endSignIn, signOutAddress } from "./signIn";
import { exchange, GrantRefused, type Tokens } from "./tokens";
import type { Settings } from "./settings";

/** A token is refreshed so long before it expires. */
const EARLY_MS = 60_000;

/** A signed-in person's session. */
export interface Session {
  /**
   * Returns a token that is good now; leaves for the issuer's page where none can be had. Throws an `Error` while the
   * issuer cannot be reached: the page stays, and a later request asks again.
   */
  token: () => Promise<string>;
  /** Signs in anew, for a token that the API refused. */
  renew: () => Promise<never>;
  signOut: () => void;
}

/** Opens the session: ends a sign-in, or leaves for the issuer's page. */
export async function openSession(settings: Settings): Promise<Session> {
  const address = new URL(location.href);
  const done = await endSignIn(settings, address);
  if (done === null) return leave(settings);
  return sessionOf(settings, done.tokens);
}

/** Keeps tokens in memory, and refreshes them; one refresh serves all who wait for it. */
export function sessionOf(settings: Settings, first: Tokens): Session {
  let tokens = first;
  let refreshing: Promise<Tokens> | null = null;
  let leaving: Promise<never> | null = null;
  // Each sign-in replaces the secrets of the one before: two at once would leave with the one's, and keep the other's.
  const leaveOnce = (): Promise<never> => {
    leaving ??= leave(settings).catch((error: unknown) => {
      leaving = null;
      throw error;
    });
    return leaving;
  };
  const refreshed = (refresh: string): Promise<Tokens> => {
    refreshing ??= exchange(settings, { grant_type: "refresh_token", refresh_token: refresh }).finally(
      () => {
        refreshing = null;
      },
    );
    return refreshing;
  };
  return {
    token: async () => {
      if (Date.now() < tokens.expiresAt - EARLY_MS) return tokens.access;
      if (tokens.refresh === null) return leaveOnce();
      try {
        tokens = await refreshed(tokens.refresh);
      } catch (error) {
        if (error instanceof GrantRefused) return leaveOnce();
        throw error;
      }
      return tokens.access;
    },
    renew: leaveOnce,
    signOut: () => {
      openAnewOnReturn();
      location.assign(signOutAddress(settings));
    },
  };
}

/** Leaves for the issuer's page; the page that is open stays until the browser has left it. */
async function leave(settings: Settings): Promise<never> {
  keepDrafts();
  openAnewOnReturn();
  // Two slashes at its beginning would name another host: a link of `https://console.example.com/` and `/jobs` has them.
  const here = `${location.pathname.replace(/^\/+/, "/")}${location.search}`;
  location.assign(await beginSignIn(settings, here.startsWith("/signed-") ? "/" : here));
  return new Promise(() => undefined);
}

/**
 * Loads the window again where the way back returns to it. A browser may keep a window that was left as it was: its
 * tokens outlive a sign-out, and its requests wait for ever for the issuer's page.
 */
function openAnewOnReturn(): void {
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
}
