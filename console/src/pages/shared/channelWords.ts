import type { Schemas } from "../../kit";
import { knownWords } from "./stateWords";

type Channel = Schemas["NotificationRule"]["channels"][number] | Schemas["Job"]["notifications"][number];

/** Names the place of a channel: its kind, and the address or the secret that leads there. */
export function channelOf(channel: Channel): string {
  switch (channel.type) {
    case "sns":
      return `sns ${channel.topic_arn}`;
    case "eventbridge":
      return `eventbridge ${channel.bus_arn}`;
    case "slack":
    case "teams":
      return `${channel.type} ${channel.url_secret.ssm_parameter ?? channel.url_secret.secret_arn ?? ""}`;
    case "webhook":
      return `webhook ${channel.url}`;
    default:
      return knownWords({}, (channel as { type: string }).type);
  }
}
