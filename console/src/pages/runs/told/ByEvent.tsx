import { RouteLink, Said, type Schemas } from "../../../kit";

/** Names the event that started a run, and leads to the trigger that it matched. */
export function ByEvent({ event }: { event: Schemas["MatchedEvent"] }) {
  return (
    <>
      event <Said>{event.id}</Said> of <Said>{event.source}</Said>, which matched{" "}
      <RouteLink to={`/event-triggers/${event.event_trigger}`}>{event.event_trigger}</RouteLink>
    </>
  );
}
