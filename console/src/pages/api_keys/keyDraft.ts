import type { Schemas } from "../../kit";
import { instantOf } from "../shared/instants";
import { command, request, shellWord } from "../shared/quoting";

export type KeyScope = Schemas["KeyScope"];

/** Scopes of keys, in words. */
export const SCOPES: Record<KeyScope, string> = {
  read: "See jobs, runs and everything else of the tenant",
  write: "Create and change jobs, DAGs, calendars and rules",
  operate: "Trigger, pause, redrive and freeze",
  send: "Send events",
  worker: "Claim and end runs of worker pools",
};
export const ALL_SCOPES = Object.keys(SCOPES) as KeyScope[];

export interface KeyDraft {
  name: string;
  scopes: readonly KeyScope[];
  /** Days, or `until`. */
  lasts: string;
  endsAt: string;
}

const MOST_DAYS = 400;
const DAY_MS = 86_400_000;
const UNTIL = "until";

/** A key begins with the least that is of use. */
export const NEW_KEY: KeyDraft = { name: "", scopes: ["read"], lasts: "365", endsAt: "" };

export const LIFETIMES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "365 days" },
  { value: UNTIL, label: "Until an instant" },
] as const;

/** Returns the end of the key; null: no instant is written. */
function endOf(draft: KeyDraft, now: number): number | null {
  return draft.lasts === UNTIL ? instantOf(draft.endsAt) : now + Number(draft.lasts) * DAY_MS;
}

/** Says of the fields what is wrong with them. */
export function problemsOf(draft: KeyDraft, now: number): { scopes?: string; endsAt?: string } {
  const end = endOf(draft, now);
  const scopes = draft.scopes.length === 0 ? { scopes: "A key has at least one scope." } : {};
  if (end === null) return { ...scopes, endsAt: "Write an instant with its offset: 2026-12-31T00:00:00Z." };
  if (end <= now) return { ...scopes, endsAt: "A key ends in the future." };
  if (end > now + MOST_DAYS * DAY_MS) return { ...scopes, endsAt: `A key lasts at most ${MOST_DAYS} days.` };
  return scopes;
}

/** Writes the request of a draft; days count from now. */
export function bodyOf(draft: KeyDraft, now: number): Schemas["NewKeyRequest"] {
  const end = endOf(draft, now) ?? now;
  return { name: draft.name.trim(), scopes: [...draft.scopes], expires_at: new Date(end).toISOString() };
}

/** Returns the path of a tenant's keys; null stands for the person's own tenant. */
export function pathOf(tenant: string | null): string {
  return tenant === null ? "/v1/keys" : `/v1/tenants/${encodeURIComponent(tenant)}/keys`;
}

/** Writes the command and the request that make the key. */
export function sameAs(body: Schemas["NewKeyRequest"], tenant: string | null): { cli: string; api: string } {
  const scopes = (body.scopes ?? []).map((scope) => ["--scope", scope] as const);
  return {
    cli: command("keys create", [
      ["--tenant", tenant],
      ["--key-name", body.name],
      ...scopes,
      ["--expires-at", body.expires_at],
    ]),
    api: `${request("POST", pathOf(tenant))}\n\n${JSON.stringify(body, null, 2)}`,
  };
}

/** Writes the command and the request that revoke a key. */
export function sameAsRevoking(keyId: string, tenant: string | null): { cli: string; api: string } {
  return {
    cli: command(`keys revoke ${shellWord(keyId)}`, [["--tenant", tenant]]),
    api: request("POST", `${pathOf(tenant)}/${keyId}/revoke`),
  };
}
