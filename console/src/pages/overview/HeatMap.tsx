import Box from "@cloudscape-design/components/box";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { Instant, Live, readAll, RouteLink, type Schemas, useApi, useLive } from "../../kit";
import { Scroll } from "../shared/Scroll";
import { unreadableJobs } from "../shared/listing/unreadable";
import { type DayOfHours, type Hour, hoursOf, shadeOf, shortCount } from "./heat";

type Forecast = Schemas["LoadForecast"];
/** Four requests an hour while the page is in sight; each counts as 40 of the tenant's rate. */
const PERIOD_MS = 900_000;
const BUSIEST = 3;

/** Shows how many runs fall due in each hour of the week ahead. */
export function HeatMap() {
  const api = useApi();
  const forecast = useLive({
    key: ["forecast"],
    read: () => readAll(api.GET("/v1/forecast", { params: { query: { days: 7 } } })),
    everyMs: () => PERIOD_MS,
  });
  return (
    <Container
      header={
        <Header variant="h2" description="From schedules and calendars: no trigger, retry or freeze is in it.">
          Runs due in the next seven days
        </Header>
      }
    >
      <Live live={forecast}>{(known) => <Shown forecast={known} />}</Live>
    </Container>
  );
}

function Shown({ forecast }: { forecast: Forecast }) {
  const { jobs, queues, next_cursor: more } = forecast;
  const unreadable = unreadableJobs(jobs.damaged);
  if (queues.length === 0) {
    return (
      <Box color="text-body-secondary">
        {more === null
          ? "No run falls due in these days. A job with a schedule is counted here."
          : "No run of the newest jobs falls due in these days; timegate forecast counts all."}
        {unreadable}
      </Box>
    );
  }
  return (
    <SpaceBetween size="s">
      <Scroll className="tg-heat-frame" label="Runs due by day and hour">
        <Hours days={hoursOf(forecast)} />
      </Scroll>
      <Busiest forecast={forecast} />
      <Box color="text-body-secondary">
        {jobs.due.toLocaleString("en")} of {jobs.read.toLocaleString("en")} jobs have runs in these days.
        {more !== null && " The newest jobs alone are counted; timegate forecast counts all."}
        {unreadable}
      </Box>
    </SpaceBetween>
  );
}

function Hours({ days }: { days: DayOfHours[] }) {
  const most = Math.max(0, ...days.flatMap(({ hours }) => hours.map((hour) => hour?.runs ?? 0)));
  return (
    <table className="tg-heat">
      <caption className="unseen">Runs due in each hour, in the time of this browser</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {Array.from({ length: 24 }, (_, hour) => (
            <th key={hour} scope="col">
              {String(hour).padStart(2, "0")}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map(({ title, hours }) => (
          <tr key={title}>
            <th scope="row">{title}</th>
            {hours.map((hour, index) => (
              <HourCell key={index} hour={hour} most={most} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function HourCell({ hour, most }: { hour: Hour | null; most: number }) {
  if (hour === null) return <td className="tg-heat-none" />;
  const { runs, busiest } = hour;
  return (
    <td
      className={`tg-heat-${shadeOf(runs, most)}`}
      title={`${runs.toLocaleString("en")} runs, ${busiest.toLocaleString("en")} in the busiest minute`}
    >
      {runs === 0 ? "" : shortCount(runs)}
    </td>
  );
}

function Busiest({ forecast }: { forecast: Forecast }) {
  const busiest = forecast.queues
    .flatMap(({ queue, is_pool: isPool, busiest: minutes }) => minutes.map((minute) => ({ ...minute, queue, isPool })))
    .sort((one, other) => other.runs - one.runs)
    .slice(0, BUSIEST);
  return (
    <div>
      {busiest.map(({ at, runs, queue, isPool }) => (
        <div key={`${queue} ${at}`}>
          <Instant at={at} both />: {runs.toLocaleString("en")} {runs === 1 ? "run" : "runs"} of{" "}
          {isPool ? <RouteLink to={`/pools/${queue}`}>{queue}</RouteLink> : queue}
        </div>
      ))}
    </div>
  );
}
