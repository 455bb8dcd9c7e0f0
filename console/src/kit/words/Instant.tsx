import { useNow } from "../useNow";
import { ago, bothTimes, localTime, shortTime, utcTime } from "./times";

interface Props {
  /** An instant of the API: RFC 3339 in UTC. */
  at: string;
  /** Shows local time and UTC side by side. */
  both?: boolean;
  /** Shows the time of day alone. */
  clock?: boolean;
  /** Shows milliseconds. */
  precise?: boolean;
  /** Shows month, day and minute. */
  short?: boolean;
  /** Shows the distance from now, which updates. */
  relative?: boolean;
}

/** Shows an instant in the reader's zone; the title has UTC. */
export function Instant({ at, both, clock, precise, short, relative }: Props) {
  const utc = utcTime(at, true);
  if (relative === true) return <Relative at={at} />;
  const local = clock === true || short === true ? shortTime(at, clock === true) : localTime(at, precise === true);
  return (
    <time dateTime={at} title={utc}>
      {both === true ? bothTimes(at, precise === true) : local}
    </time>
  );
}

function Relative({ at }: { at: string }) {
  const now = useNow(1_000);
  return (
    <time dateTime={at} title={utcTime(at, true)}>
      {ago(at, now)}
    </time>
  );
}
