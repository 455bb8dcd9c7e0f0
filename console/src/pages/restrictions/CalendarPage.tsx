import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";
import SpaceBetween from "@cloudscape-design/components/space-between";

import {
  Instant,
  isZone,
  Live,
  Page,
  readAll,
  SameByCommand,
  type Schemas,
  useApi,
  useLive,
  useNow,
  useRouteParam,
  useSearch,
} from "../../kit";
import { JsonText } from "../shared/json/JsonText";
import { command, request } from "../shared/quoting";
import { ImportCalendar } from "./ImportCalendar";
import { localParts, monthAfter } from "./month";
import { Month } from "./Month";

type Calendar = Schemas["Calendar"];

/** 60 requests an hour while the page is in sight. */
const PERIOD_MS = 60_000;

/** Months beside these are beyond the dates of a browser, or of calendars. */
const MONTH = /^[12]\d{3}-(0[1-9]|1[0-2])$/;

export default function CalendarPage() {
  const name = useRouteParam("calendar");
  const api = useApi();
  const live = useLive({
    key: ["calendar", name],
    read: () =>
      readAll(api.GET("/v1/calendars/{calendar}", { params: { path: { calendar: name } } })),
    everyMs: () => PERIOD_MS,
  });
  return (
    <Page
      title={`Calendar ${name}`}
      crumbs={[
        { text: "Calendars and freezes", href: "/calendars?view=calendars" },
        { text: name, href: `/calendars/${name}` },
      ]}
    >
      <Live live={live}>{(calendar) => <Shown calendar={calendar} onChange={live.refetch} />}</Live>
    </Page>
  );
}

function Shown({ calendar, onChange }: { calendar: Calendar; onChange: () => void }) {
  const now = useNow(60_000);
  return (
    <SpaceBetween size="l">
      <Header
        variant="h1"
        description={calendar.description}
        actions={<ImportCalendar calendar={calendar} onDone={onChange} />}
      >
        Calendar {calendar.name}
      </Header>
      <Container>
        <KeyValuePairs
          columns={4}
          items={[
            { label: "Time zone", value: calendar.timezone },
            { label: "Weekend", value: calendar.weekend.join(", ") || "no day" },
            { label: "Entries", value: calendar.entries },
            {
              label: "Version",
              value: (
                <>
                  {calendar.version}, <Instant at={calendar.updated_at} />
                </>
              ),
            },
          ]}
        />
      </Container>
      <MonthOf calendar={calendar} />
      <Container header={<Header variant="h2">Entries</Header>}>
        <JsonText
          label="Entries"
          value={{
            days: calendar.days,
            weekdays: calendar.weekdays,
            windows: calendar.windows,
            periods: calendar.periods,
            weekend: calendar.weekend,
          }}
        />
      </Container>
      <SameByCommand
        cli={`${command(`calendars get ${calendar.name}`)}\n${command(`calendars check ${calendar.name}`, [["--at", new Date(now).toISOString()]])}`}
        api={request("GET", `/v1/calendars/${calendar.name}`)}
      />
    </SpaceBetween>
  );
}

function MonthOf({ calendar }: { calendar: Calendar }) {
  const [search, setSearch] = useSearch();
  const now = useNow(60_000);
  const today = localParts(new Date(now).toISOString(), calendar.timezone).date;
  const asked = search.get("month");
  const month = asked !== null && MONTH.test(asked) ? asked : today.slice(0, 7);
  const show = (shown: string | null): void => {
    setSearch({ month: shown });
  };
  const title = new Intl.DateTimeFormat("en", {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  }).format(new Date(`${month}-01T00:00:00Z`));
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            <SpaceBetween direction="horizontal" size="xs">
              <Button
                iconName="angle-left"
                ariaLabel="The month before"
                onClick={() => {
                  show(monthAfter(month, -1));
                }}
              />
              <Button
                onClick={() => {
                  show(null);
                }}
              >
                Today
              </Button>
              <Button
                iconName="angle-right"
                ariaLabel="The month after"
                onClick={() => {
                  show(monthAfter(month, 1));
                }}
              />
            </SpaceBetween>
          }
        >
          {title}
        </Header>
      }
    >
      <Month calendar={calendar} month={month} today={today} title={title} />
      <Box variant="small" color="text-body-secondary">
        Days and hours are on the clock of {calendar.timezone}. Covered time is what jobs leave out
        (mode exclude), or keep to (mode only).
        {!isZone(calendar.timezone) && " This browser does not know that zone: spans between two instants, and today, are on the clock of UTC."}
      </Box>
    </Container>
  );
}
