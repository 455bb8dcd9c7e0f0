import { useAnnounced } from "../kit";

/** Holds what readers of a screen are told: it is there before its words are, or they would not be read. */
export function Announcer() {
  const { text, number } = useAnnounced();
  return (
    <div className="unseen" role="status">
      <span key={number}>{text}</span>
    </div>
  );
}
