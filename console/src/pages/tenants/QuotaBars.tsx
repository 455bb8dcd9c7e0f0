import Box from "@cloudscape-design/components/box";
import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";
import ProgressBar from "@cloudscape-design/components/progress-bar";
import SpaceBetween from "@cloudscape-design/components/space-between";

import type { Schemas } from "../../kit";
import { QUOTA_NAMES, type QuotaName, writeQuota } from "./quotas";

interface Props {
  quotas: Schemas["QuotaNumbers"];
  usage: Schemas["UsageAnswer"] | null;
}

/** Shows what a tenant may use, and how much of it is used where the stage counts it. */
export function QuotaBars({ quotas, usage }: Props) {
  const counted: Partial<Record<QuotaName, number | null>> =
    usage === null
      ? {}
      : { jobs: usage.jobs, dags: usage.dags, runs_per_day: usage.runs_per_day };
  const names = Object.keys(QUOTA_NAMES) as QuotaName[];
  const bars = names.filter((name) => counted[name] != null && quotas[name] !== null);
  const plain = names.filter((name) => !bars.includes(name));
  return (
    <SpaceBetween size="l">
      {bars.map((name) => (
        <Bar key={name} name={name} used={counted[name] ?? 0} limit={quotas[name] ?? 0} />
      ))}
      <KeyValuePairs
        columns={3}
        items={plain.map((name) => ({
          label: QUOTA_NAMES[name],
          value:
            counted[name] == null
              ? writeQuota(quotas[name])
              : `${counted[name].toLocaleString("en")} used, ${writeQuota(quotas[name])}`,
        }))}
      />
    </SpaceBetween>
  );
}

function Bar({ name, used, limit }: { name: QuotaName; used: number; limit: number }) {
  const share = limit === 0 ? 100 : Math.min(100, (used / limit) * 100);
  return (
    <ProgressBar
      value={share}
      label={QUOTA_NAMES[name]}
      description={`${used.toLocaleString("en")} of ${limit.toLocaleString("en")}`}
      additionalInfo={
        share >= 90 ? (
          <Box variant="span" color="text-status-warning">
            Nearly used in full: ask the stage for more before requests are refused.
          </Box>
        ) : undefined
      }
    />
  );
}
