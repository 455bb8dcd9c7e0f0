import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";

import { RouteLink, type Schemas } from "../../kit";
import { JsonText } from "../shared/json/JsonText";

type Dag = Schemas["Dag"];

/** Shows the definition of one task of a DAG. */
export function DefinedTask({ task, edges }: { task: Dag["tasks"][number]; edges: Dag["edges"] }) {
  const before = edges.filter(({ target }) => target === task.key).map(({ source }) => source);
  const waits = before.length === 0 ? "Waits for nothing." : `Waits for ${before.join(", ")}.`;
  return (
    <Container
      header={
        <Header variant="h3" description={waits}>
          {task.name === "" ? task.key : task.name}
        </Header>
      }
    >
      {task.job_id != null && (
        <p>
          Runs the job <RouteLink to={`/jobs/${task.job_id}`}>{task.job_id}</RouteLink>, as that is
          when the DAG run begins.
        </p>
      )}
      <JsonText label={`Definition of ${task.key}`} value={task} />
    </Container>
  );
}
