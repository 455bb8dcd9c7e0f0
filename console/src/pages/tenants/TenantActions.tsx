
import { useKept } from "../../kit";
import type { Schemas } from "../../kit";
import { ActionRow } from "../shared/ActionRow";
import { EditQuotas } from "./EditQuotas";
import { ResumeTenant, SuspendTenant } from "./Suspension";

interface Props {
  tenant: Schemas["Tenant"];
  onDone: () => void;
}

type Question = "quotas" | "suspend" | "resume";

/** Buttons of what the stage's administration does with a tenant. */
export function TenantActions({ tenant, onDone }: Props) {
  const [open, setOpen] = useKept<Question | null>("act", null);
  const isSuspended = tenant.status === "suspended";
  const close = (): void => {
    setOpen(null);
  };
  const asked = {
    tenant,
    onDismiss: close,
    onDone: () => {
      close();
      onDone();
    },
  };
  return (
    <>
      <ActionRow
        actions={[
          { text: "Change quotas", why: null, onClick: () => { setOpen("quotas"); } },
          isSuspended
            ? { text: "Resume", why: null, onClick: () => { setOpen("resume"); }, isPrimary: true }
            : { text: "Suspend", why: null, onClick: () => { setOpen("suspend"); } },
        ]}
      />
      {open === "quotas" && <EditQuotas {...asked} />}
      {open === "suspend" && <SuspendTenant {...asked} />}
      {open === "resume" && <ResumeTenant {...asked} />}
    </>
  );
}
