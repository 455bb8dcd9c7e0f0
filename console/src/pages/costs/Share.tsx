import { writeUsd } from "./costWords";
import "./costs.css";

/** Shows US dollars, and their share of a whole as a bar. */
export function Share({ usd, whole }: { usd: number; whole: number }) {
  const share = whole === 0 ? 0 : Math.min(100, (usd / whole) * 100);
  return (
    <span className="tg-amount">
      {writeUsd(usd)} ({share.toFixed(share < 1 ? 1 : 0)} %)
      <svg className="tg-share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect width={share} height={8} />
      </svg>
    </span>
  );
}
