import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Tabs from "@cloudscape-design/components/tabs";

import { Page, SameByCommand, useSearch } from "../../kit";
import { CalendarsTable } from "./CalendarsTable";
import { CreateFreeze } from "./CreateFreeze";
import { FreezesTable } from "./FreezesTable";

export default function RestrictionsPage() {
  const [search, setSearch] = useSearch();
  const isCalendars = search.get("view") === "calendars";
  return (
    <Page
      title="Calendars and freezes"
      crumbs={[{ text: "Calendars and freezes", href: "/calendars" }]}
    >
      <SpaceBetween size="l">
        <Header
          variant="h1"
          description="Time that jobs leave out or keep to, and spans in which nothing starts."
          actions={<CreateFreeze />}
        >
          Calendars and freezes
        </Header>
        <Tabs
          i18nStrings={{ scrollLeftAriaLabel: "Tabs before", scrollRightAriaLabel: "Tabs after" }}
          ariaLabel="Calendars and freezes"
          activeTabId={isCalendars ? "calendars" : "freezes"}
          onChange={({ detail }) => {
            setSearch({ view: detail.activeTabId });
          }}
          tabs={[
            { id: "freezes", label: "Freezes", content: <FreezesTable /> },
            { id: "calendars", label: "Calendars", content: <CalendarsTable /> },
          ]}
        />
        <SameByCommand
          cli={isCalendars ? "timegate calendars list" : "timegate freezes list"}
          api={isCalendars ? "GET /v1/calendars" : "GET /v1/freezes"}
        />
      </SpaceBetween>
    </Page>
  );
}
