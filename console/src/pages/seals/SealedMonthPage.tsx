import Box from "@cloudscape-design/components/box";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { type ApiProblem, Page, ProblemAlert, RouteLink, SameByCommand, Skeleton, useNow, useRouteParam } from "../../kit";
import type { Listing } from "../shared/listing/useListing";
import { request } from "../shared/quoting";
import { MARGIN_MS } from "./FileLink";
import { FilesTable } from "./FilesTable";
import { SealFacts } from "./SealFacts";
import { type Seal, type SealedFile, useSealedMonth } from "./useSealedMonth";
import { exportCommand, VerifyOffline } from "./VerifyOffline";

/** Shows a sealed month: its seal, its files, and how it is verified. */
export default function SealedMonthPage() {
  const month = useRouteParam("month");
  const listing = useSealedMonth(month);
  return (
    <Page
      title={`Sealed month ${month}`}
      crumbs={[
        { text: "Sealed months", href: "/seals" },
        { text: month, href: `/seals/${encodeURIComponent(month)}` },
      ]}
    >
      {listing.problem !== null && <Refused problem={listing.problem} />}
      {listing.first === undefined ? (
        listing.problem === null && <Skeleton what="the seal" />
      ) : (
        <Shown seal={listing.first} listing={listing} />
      )}
      <SameByCommand cli={exportCommand(month)} api={request("GET", `/v1/archive/seals/${encodeURIComponent(month)}`)} />
    </Page>
  );
}

function Refused({ problem }: { problem: ApiProblem }) {
  return (
    <SpaceBetween size="s">
      <ProblemAlert problem={problem} />
      {problem.problem.code === "seal_not_found" && (
        <Box>
          See <RouteLink to="/seals">which months are sealed</RouteLink>.
        </Box>
      )}
    </SpaceBetween>
  );
}

function Shown({ seal, listing }: { seal: Seal; listing: Listing<SealedFile, Seal> }) {
  const now = useNow(MARGIN_MS);
  return (
    <SpaceBetween size="l">
      <Header variant="h1" description="Its files are named by digest in a seal, which is signed.">
        Sealed month {seal.month}
      </Header>
      <SealFacts seal={seal} files={listing.items} now={now} />
      <VerifyOffline seal={seal} />
      <FilesTable listing={listing} now={now} />
    </SpaceBetween>
  );
}
