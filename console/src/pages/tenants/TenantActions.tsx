import Button from "@cloudscape-design/components/button";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { useState } from "react";

import type { Schemas } from "../../kit";
import { EditQuotas } from "./EditQuotas";
import { ResumeTenant, SuspendTenant } from "./Suspension";

interface Props {
  tenant: Schemas["Tenant"];
  onDone: () => void;
}

type Question = "quotas" | "suspend" | "resume";

/** Buttons of what the stage's administration does with a tenant. */
export function TenantActions({ tenant, onDone }: Props) {
  const [open, setOpen] = useState<Question | null>(null);
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
      <SpaceBetween direction="horizontal" size="xs">
        <Button
          onClick={() => {
            setOpen("quotas");
          }}
        >
          Change quotas
        </Button>
        <Button
          variant={isSuspended ? "primary" : "normal"}
          onClick={() => {
            setOpen(isSuspended ? "resume" : "suspend");
          }}
        >
          {isSuspended ? "Resume" : "Suspend"}
        </Button>
      </SpaceBetween>
      {open === "quotas" && <EditQuotas {...asked} />}
      {open === "suspend" && <SuspendTenant {...asked} />}
      {open === "resume" && <ResumeTenant {...asked} />}
    </>
  );
}
