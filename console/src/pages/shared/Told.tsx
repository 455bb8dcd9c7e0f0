import type { Schemas } from "../../kit";
import { channelOf } from "./channelWords";

interface Props {
  notifications: Schemas["Job"]["notifications"];
}

/** Names the channels of a job or DAG, and the occasions on which each is told. */
export function Told({ notifications }: Props) {
  if (notifications.length === 0) return <>no channel of its own</>;
  return (
    <>
      {notifications.map((each, index) => (
        <div key={index} className="tg-said">
          {channelOf(each)} on {each.on.map((on) => on.replaceAll("_", " ")).join(", ")}
        </div>
      ))}
    </>
  );
}
