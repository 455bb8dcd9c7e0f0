import FormField from "@cloudscape-design/components/form-field";
import Input from "@cloudscape-design/components/input";

import { readAll, type Schemas, useAct, useApi, useKeptText, useOpened } from "../../kit";
import { ActionModal } from "../shared/ActionModal";
import { command, request, shellWord } from "../shared/quoting";
import { QUOTA_NAMES, type QuotaName, readQuota, writeQuota } from "./quotas";
import { precondition } from "./Suspension";

interface Props {
  tenant: Schemas["Tenant"];
  onDone: () => void;
  onDismiss: () => void;
}

const NAMES = Object.keys(QUOTA_NAMES) as QuotaName[];

/** Changes the quotas of a tenant; only those that differ are sent. */
export function EditQuotas({ tenant: given, onDone, onDismiss }: Props) {
  const api = useApi();
  const tenant = useOpened(given);
  // Typed texts alone: the others are as the tenant has them by now.
  const [typed, setTyped] = useKeptText<Partial<Record<QuotaName, string>>>("quotas", {});
  const texts = { ...textsOf(tenant), ...typed };
  const { changes, invalid } = changesOf(tenant, texts);
  const path = { tenant: tenant.tenant };
  const change = useAct(
    () =>
      readAll(
        api.PATCH("/v1/tenants/{tenant}", {
          params: { path, header: precondition(tenant) },
          body: { quotas: changes } as Schemas["TenantPatch"],
        }),
      ),
    onDone,
  );
  return (
    <ActionModal
      title={`Quotas of ${tenant.tenant}`}
      verb="Change the quotas"
      size="large"
      isRunning={change.isRunning}
      isDisabled={invalid.size > 0 || Object.keys(changes).length === 0}
      problem={change.problem}
      onConfirm={change.act}
      onDismiss={onDismiss}
      cli={command(
        `tenants set ${shellWord(tenant.tenant)}`,
        Object.entries(changes).map(
          ([name, value]) => ["--quota", `${name}=${value ?? "default"}`] as const,
        ),
      )}
      api={`${request("PATCH", `/v1/tenants/${encodeURIComponent(tenant.tenant)}`)}\n\n${JSON.stringify({ quotas: changes }, null, 2)}`}
    >
      {NAMES.map((name) => (
        <FormField
          key={name}
          label={QUOTA_NAMES[name]}
          constraintText={`Now ${writeQuota(tenant.effective_quotas[name])}. Empty: the stage's own. 0 allows nothing.`}
          errorText={invalid.has(name) ? "Write digits, or nothing." : null}
        >
          <Input
            value={texts[name]}
            inputMode="numeric"
            placeholder="the stage's"
            onChange={({ detail }) => {
              setTyped((was) => ({ ...was, [name]: detail.value }));
            }}
          />
        </FormField>
      ))}
    </ActionModal>
  );
}

function textsOf(tenant: Schemas["Tenant"]): Record<QuotaName, string> {
  const entries = NAMES.map((name) => [name, tenant.quotas[name]?.toString() ?? ""]);
  return Object.fromEntries(entries) as Record<QuotaName, string>;
}

function changesOf(
  tenant: Schemas["Tenant"],
  texts: Record<QuotaName, string>,
): { changes: Partial<Record<QuotaName, number | null>>; invalid: Set<QuotaName> } {
  const changes: Partial<Record<QuotaName, number | null>> = {};
  const invalid = new Set<QuotaName>();
  for (const name of NAMES) {
    const read = readQuota(texts[name]);
    if (read === "invalid") {
      invalid.add(name);
    } else if (read !== tenant.quotas[name]) {
      changes[name] = read;
    }
  }
  return { changes, invalid };
}
