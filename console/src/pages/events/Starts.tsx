import { RouteLink, type Schemas } from "../../kit";

/** Names the job or DAG that an event starts, and leads there. */
export function Starts({ starts }: { starts: Schemas["EventTrigger"]["starts"] }) {
  if (starts.type === "dag_run") {
    return (
      <>
        a run of <RouteLink to={`/dags/${starts.dag_id}`}>DAG {starts.dag_id}</RouteLink>
      </>
    );
  }
  if (starts.job_id.startsWith("key:")) return <>{`the job ${starts.job_id}`}</>;
  return (
    <>
      the <RouteLink to={`/jobs/${starts.job_id}`}>job {starts.job_id}</RouteLink>
    </>
  );
}
