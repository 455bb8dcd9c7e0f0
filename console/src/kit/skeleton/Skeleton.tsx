import "./skeleton.css";

interface Props {
  /** Names what is read, for readers of a screen: "runs". */
  what?: string;
  /** Lines that stand for what comes. */
  lines?: number;
}

const LINES = 4;

/** Keeps the place of what is read: grey lines, and a word for readers of a screen. */
export function Skeleton({ what, lines = LINES }: Props) {
  return (
    <div className="tg-skeleton">
      <span className="unseen" role="status">
        {what === undefined ? "Reading" : `Reading ${what}`}
      </span>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className="tg-skeleton-line" aria-hidden="true" />
      ))}
    </div>
  );
}
