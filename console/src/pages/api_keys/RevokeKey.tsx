import Box from "@cloudscape-design/components/box";

import { readAll, Said, type Schemas, useAct, useApi } from "../../kit";
import { ActionModal } from "../shared/ActionModal";
import { sameAsRevoking } from "./keyDraft";

interface Props {
  apiKey: Schemas["ApiKey"];
  tenant: string | null;
  onClose: () => void;
}

/** Asks before a key is revoked. */
export function RevokeKey({ apiKey, tenant, onClose }: Props) {
  const api = useApi();
  const key_id = apiKey.key_id;
  const revoke = useAct(
    () =>
      readAll(
        tenant === null
          ? api.POST("/v1/keys/{key_id}/revoke", { params: { path: { key_id } } })
          : api.POST("/v1/tenants/{tenant}/keys/{key_id}/revoke", { params: { path: { tenant, key_id } } }),
      ),
    onClose,
  );
  return (
    <ActionModal
      title={`Revoke the key ${key_id}?`}
      verb="Revoke the key"
      isRunning={revoke.isRunning}
      problem={revoke.problem}
      onConfirm={revoke.act}
      onDismiss={onClose}
      {...sameAsRevoking(key_id, tenant)}
    >
      <Box variant="p">
        Programs that hold {apiKey.name === "" ? "it" : <b><Said>{apiKey.name}</Said></b>} are refused within ten seconds. This cannot
        be undone.
      </Box>
    </ActionModal>
  );
}
