import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import SpaceBetween from "@cloudscape-design/components/space-between";
import StatusIndicator from "@cloudscape-design/components/status-indicator";
import type { TableProps } from "@cloudscape-design/components/table";
import { useState } from "react";

import { Instant, readAll, RouteLink, Said, type Schemas, useApi, useMay, useNow, useSearch } from "../../kit";
import { ListingPage } from "../shared/listing/ListingPage";
import { useListing } from "../shared/listing/useListing";
import { command, request } from "../shared/quoting";
import { State } from "../shared/State";
import { CreateKey } from "./CreateKey";
import { pathOf } from "./keyDraft";
import { RevokeKey } from "./RevokeKey";

type Key = Schemas["ApiKey"];

const SOON_MS = 14 * 86_400_000;

const COLUMNS: TableProps.ColumnDefinition<Key>[] = [
  { id: "name", header: "Name", minWidth: 160, cell: (key) => <Said>{key.name || "–"}</Said> },
  { id: "status", header: "Status", minWidth: 110, cell: (key) => <State state={key.status} /> },
  { id: "scopes", header: "It may", minWidth: 160, cell: (key) => key.scopes.join(", ") },
  { id: "ends", header: "Ends", minWidth: 150, cell: (key) => <Ends apiKey={key} /> },
  { id: "created", header: "Created", minWidth: 150, cell: (key) => <Instant at={key.created_at} /> },
  { id: "by", header: "By", minWidth: 130, cell: (key) => <Said>{key.created_by}</Said> },
];

/** Lists API keys: the own tenant's, or for the stage's administration those of the tenant in the address. */
export default function KeysPage() {
  const [search] = useSearch();
  const named = search.get("tenant");
  const admin = useMay("admin");
  const writer = useMay("write");
  const tenant = admin.allowed ? named : null;
  const why = tenant === null ? writer.why : null;
  const api = useApi();
  const [revoked, setRevoked] = useState<Key | null>(null);
  const listing = useListing(["api-keys", tenant], async () => {
    const answer = await readAll(
      tenant === null
        ? api.GET("/v1/keys")
        : api.GET("/v1/tenants/{tenant}/keys", { params: { path: { tenant } } }),
    );
    return { ...answer, items: inOrder(answer.items), next_cursor: null };
  });
  return (
    <>
      <ListingPage
        title={tenant === null ? "API keys" : `API keys of ${tenant}`}
        path={tenant === null ? "/keys" : `/keys?tenant=${encodeURIComponent(tenant)}`}
        description="Credentials of programs. Each has scopes and an end; ended ones are listed for 30 days."
        what="API keys"
        listing={listing}
        columns={[idColumn, ...COLUMNS, revokeColumn(why, setRevoked)]}
        trackBy="key_id"
        actions={<CreateKey tenant={tenant} why={why} />}
        notice={<Elsewhere named={named} tenant={tenant} />}
        empty={
          <SpaceBetween size="xs" alignItems="center">
            <Box variant="strong">No API key yet</Box>
            <Box color="text-body-secondary">Let a program in that only reads:</Box>
            <Box variant="code">{command("keys create --key-name exports --scope read", [["--tenant", tenant]])}</Box>
          </SpaceBetween>
        }
        cli={command("keys list", [["--tenant", tenant]])}
        api={request("GET", pathOf(tenant))}
      />
      {revoked !== null && (
        <RevokeKey
          apiKey={revoked}
          tenant={tenant}
          onClose={() => {
            setRevoked(null);
          }}
        />
      )}
    </>
  );
}

const idColumn: TableProps.ColumnDefinition<Key> = {
  id: "id",
  header: "Key",
  isRowHeader: true,
  minWidth: 140,
  cell: (key) => key.key_id,
};

function revokeColumn(why: string | null, onOpen: (key: Key) => void): TableProps.ColumnDefinition<Key> {
  return {
    id: "act",
    minWidth: 100,
    header: "Decide",
    cell: (key) =>
      key.status !== "active" ? (
        "–"
      ) : (
        <Button
          variant="inline-link"
          ariaLabel={`Revoke the key ${key.key_id}`}
          disabled={why !== null}
          disabledReason={why ?? ""}
          onClick={() => {
            onOpen(key);
          }}
        >
          Revoke
        </Button>
      ),
  };
}

/** Good keys first, and among them the youngest: places of keys mean nothing to people. */
function inOrder(keys: readonly Key[]): Key[] {
  const rank = (key: Key): number => (key.status === "active" ? 0 : 1);
  return [...keys].sort((a, b) => rank(a) - rank(b) || b.created_at.localeCompare(a.created_at));
}

/** Shows when a key ended or will end, and warns two weeks before. */
function Ends({ apiKey: key }: { apiKey: Key }) {
  const now = useNow(60_000);
  const at = key.revoked_at ?? key.expires_at;
  const isSoon = key.status === "active" && Date.parse(at) - now < SOON_MS;
  if (!isSoon) return <Instant at={at} />;
  return (
    <StatusIndicator type="warning">
      <Instant at={at} /> (soon)
    </StatusIndicator>
  );
}

/** Says whose keys these are, where the address names a tenant. */
function Elsewhere({ named, tenant }: { named: string | null; tenant: string | null }) {
  if (named === null) return null;
  if (tenant === null) {
    return (
      <Alert type="info" header={`The stage's administration alone sees keys of ${named}`}>
        These are the keys of your own tenant.
      </Alert>
    );
  }
  return (
    <Box color="text-body-secondary">
      Of the tenant <RouteLink to={`/tenants/${encodeURIComponent(tenant)}`}>{tenant}</RouteLink>. Its people make keys
      themselves with the scope <Box variant="code">write</Box>.
    </Box>
  );
}
