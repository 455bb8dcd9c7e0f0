import StatusIndicator from "@cloudscape-design/components/status-indicator";

import type { Schemas } from "../../kit";

/** Tells if a rule tells of anything. */
export function Enabled({ rule }: { rule: Pick<Schemas["NotificationRule"], "enabled"> }) {
  return rule.enabled ? (
    <StatusIndicator type="success">on</StatusIndicator>
  ) : (
    <StatusIndicator type="stopped">off</StatusIndicator>
  );
}
