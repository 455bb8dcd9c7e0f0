import Box from "@cloudscape-design/components/box";
import FormField from "@cloudscape-design/components/form-field";
import Input from "@cloudscape-design/components/input";
import Select from "@cloudscape-design/components/select";

import { clipped, readAll, type Schemas, useAct, useApi, useKeptText, useOpened } from "../../kit";
import { THAW_WORDS } from "../restrictions/freezeWords";
import { ActionModal } from "../shared/ActionModal";
import { command, request, shellWord } from "../shared/quoting";

interface Asked {
  tenant: Schemas["Tenant"];
  onDone: () => void;
  onDismiss: () => void;
}

type Thaw = Schemas["ThawPolicy"];

const THAWS = Object.entries(THAW_WORDS).map(([value, label]) => ({ value, label }));

/** Conditions a change on the version that the page shows; one that was never set has none. */
export function precondition(tenant: Schemas["Tenant"]): Record<string, string> {
  return tenant.version === 0 ? { "If-None-Match": "*" } : { "If-Match": `"${tenant.version}"` };
}

/** Asks before a tenant is suspended. */
export function SuspendTenant({ tenant: given, onDone, onDismiss }: Asked) {
  const api = useApi();
  const tenant = useOpened(given);
  const [reason, setReason] = useKeptText("suspend", "");
  const [thaw, setThaw] = useKeptText<Thaw>("thaw", "job");
  const path = { tenant: tenant.tenant };
  const body = { reason: reason.trim(), thaw };
  const suspend = useAct(
    () =>
      readAll(
        api.POST("/v1/tenants/{tenant}/suspend", {
          params: { path, header: precondition(tenant) },
          body,
        }),
      ),
    onDone,
  );
  return (
    <ActionModal
      title={`Suspend ${tenant.tenant}?`}
      verb="Suspend the tenant"
      size="large"
      isRunning={suspend.isRunning}
      problem={suspend.problem}
      onConfirm={suspend.act}
      onDismiss={onDismiss}
      cli={command(`tenants suspend ${shellWord(tenant.tenant)}`, [
        ["--reason", body.reason],
        ["--thaw", thaw],
      ])}
      api={`${request("POST", `/v1/tenants/${encodeURIComponent(tenant.tenant)}/suspend`)}\n\n${JSON.stringify(body, null, 2)}`}
    >
      <Box variant="p">
        Nothing of the tenant starts from now on, and it changes nothing. It reads everything. Runs
        that have begun go on to their end.
      </Box>
      <FormField label="Reason" description="The tenant reads it.">
        <Input
          value={reason}
          onChange={({ detail }) => {
            setReason(clipped(detail.value, 200));
          }}
        />
      </FormField>
      <FormField label="Once it is resumed" description="What runs of what was held back.">
        <Select
          options={THAWS}
          selectedOption={THAWS.find(({ value }) => value === thaw) ?? null}
          onChange={({ detail }) => {
            setThaw(detail.selectedOption.value as Thaw);
          }}
        />
      </FormField>
    </ActionModal>
  );
}

/** Asks before a tenant is resumed. */
export function ResumeTenant({ tenant: given, onDone, onDismiss }: Asked) {
  const api = useApi();
  const tenant = useOpened(given);
  const path = { tenant: tenant.tenant };
  const resume = useAct(
    () =>
      readAll(
        api.POST("/v1/tenants/{tenant}/resume", {
          params: { path, header: precondition(tenant) },
        }),
      ),
    onDone,
  );
  return (
    <ActionModal
      title={`Resume ${tenant.tenant}?`}
      verb="Resume the tenant"
      isRunning={resume.isRunning}
      problem={resume.problem}
      onConfirm={resume.act}
      onDismiss={onDismiss}
      cli={command(`tenants resume ${shellWord(tenant.tenant)}`)}
      api={request("POST", `/v1/tenants/${encodeURIComponent(tenant.tenant)}/resume`)}
    >
      <Box variant="p">
        It may change things again, and the planner settles what was held back within one look-ahead.
      </Box>
    </ActionModal>
  );
}
