import SpaceBetween from "@cloudscape-design/components/space-between";

import { Live, readAll, RouteLink, SameByCommand, useApi, useLive, useSearch } from "../../kit";
import { command, request } from "../shared/quoting";
import { Accuracy } from "./Accuracy";
import { CostParts } from "./CostParts";
import { CostSummary } from "./CostSummary";

interface Props {
  /** Null: the person's own tenant. */
  tenant: string | null;
  month: string;
}

/** So many jobs are shown at first, and so many at most. */
const SOME = 20;
const MOST = 100;

/** Returns the page of a whole month; null stands for the person's own tenant. */
const placeOf = (tenant: string | null, month: string): string =>
  `/costs?${new URLSearchParams({ month, ...(tenant === null ? {} : { tenant }) }).toString()}`;

/** Shows what a tenant's runs of a month cost, and its dearest jobs. */
export function TenantCosts({ tenant, month }: Props) {
  const [search, setSearch] = useSearch();
  const job_id = search.get("job_id");
  const limit = search.get("limit") === String(MOST) ? MOST : SOME;
  const query = { month, ...(limit === SOME ? {} : { limit }), ...(job_id === null ? {} : { job_id }) };
  const api = useApi();
  const live = useLive({
    key: ["costs", tenant, month, limit, job_id],
    read: () =>
      readAll(
        tenant === null
          ? api.GET("/v1/cost", { params: { query } })
          : api.GET("/v1/tenants/{tenant}/cost", { params: { path: { tenant }, query } }),
      ),
    everyMs: () => null,
  });
  const path = tenant === null ? "/v1/cost" : `/v1/tenants/${encodeURIComponent(tenant)}/cost`;
  return (
    <SpaceBetween size="l">
      <Live live={live}>
        {(report) => (
          <SpaceBetween size="l">
            <Accuracy month={report.month} until={report.metered_until} />
            <CostSummary whole={report.whole} />
            {job_id !== null && <RouteLink to={placeOf(tenant, month)}>All jobs of the month</RouteLink>}
            <CostParts
              report={report}
              onlyJob={job_id !== null}
              isOwn={tenant === null}
              onMore={
                report.other_jobs === 0 || limit === MOST
                  ? null
                  : () => {
                      setSearch({ limit: String(MOST) });
                    }
              }
            />
          </SpaceBetween>
        )}
      </Live>
      <SameByCommand
        cli={command("cost report", [
          ["--month", month],
          ["--tenant", tenant],
          ["--job", job_id],
          ["--limit", limit === SOME ? null : String(limit)],
        ])}
        api={request("GET", path, query)}
      />
    </SpaceBetween>
  );
}
