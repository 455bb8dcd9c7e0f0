import Alert from "@cloudscape-design/components/alert";

import { Instant, useNow } from "../../kit";
import { isCounted, isKept } from "./costWords";

/** Says up to when runs are counted, and how exact the numbers are. */
export function Accuracy({ month, until }: { month: string; until: string | null }) {
  return (
    <Alert type="info" header={<Until month={month} until={until} />}>
      Counted from records of attempts that ended, an hour to three days late, times list prices without free tiers and
      discounts: within 2 % of the units of scheduled runs, and by measured quantities for others. Requests that start
      no run, and the stage&apos;s own ticks and alarms, are not among them.
    </Alert>
  );
}

function Until({ month, until }: { month: string; until: string | null }) {
  const now = useNow(60_000);
  if (!isKept(month, now)) return <>Counts of this month are no longer on record: they are kept for 400 days</>;
  if (until === null) return <>Nothing is counted yet</>;
  if (isCounted(month, until)) return <>The month is counted in full</>;
  return (
    <>
      Counted up to <Instant at={until} both />
    </>
  );
}
