import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import { useMemo } from "react";

import { readAll, type Schemas, useAct, useApi, useGo, useRequestKey, useRouteParam } from "../../kit";
import { ContractForm } from "../form/ContractForm";
import { changesOf, type Draft, withoutDefaults } from "../form/draft";
import { useDraft } from "../form/edits/useDraft";
import { useEdited } from "../form/edits/useEdited";
import { EditFrame } from "../form/EditFrame";
import { manifestOf } from "../form/manifest";
import { request, withDocument } from "../shared/quoting";
import { DAG_GROUPS, FIRST_DAG, NEW_DAG } from "./dagContract";

/** Creates a DAG, or makes the next version of the one that the address names. */
export default function EditDagPage() {
  const api = useApi();
  const dagId = useRouteParam("dag_id");
  return (
    <EditFrame
      list={{ text: "DAGs", href: "/dags" }}
      what="DAG"
      name={dagId}
      read={() => readAll(api.GET("/v1/dags/{dag_id}", { params: { path: { dag_id: dagId } } }))}
      titleOf={(dag) => dag.name}
      form={(dag, again) => (dag === null ? <NewDag /> : <Edit dag={dag} onAgain={again} />)}
    />
  );
}

function NewDag() {
  const api = useApi();
  const go = useGo();
  const [draft, setDraft] = useDraft<Draft>("new DAG", FIRST_DAG);
  // A second click, or a repeated request, gives the same DAG.
  const [key] = useRequestKey("new DAG");
  const create = useAct(
    () => {
      const params = { header: { "Idempotency-Key": key } };
      return readAll(api.POST("/v1/dags", { params, body: draft as unknown as Schemas["NewDag"] }));
    },
    (dag) => {
      go(`/dags/${dag.dag_id}`);
    },
  );
  return (
    <ContractForm
      contract={NEW_DAG}
      groups={DAG_GROUPS}
      draft={draft}
      onChange={setDraft}
      verb="Create the DAG"
      isRunning={create.isRunning}
      problem={create.problem}
      onConfirm={create.act}
      onBack={() => {
        go("/dags");
      }}
      manifest={manifestOf("Dag", draft)}
      cli={withDocument("timegate dags create --file -", draft)}
      api={`${request("POST", "/v1/dags")}\n\n${JSON.stringify(draft, null, 2)}`}
      help={<Help />}
    />
  );
}

function Edit({ dag, onAgain }: { dag: Schemas["Dag"]; onAgain: () => void }) {
  const api = useApi();
  const go = useGo();
  const read = useMemo(() => withoutDefaults({ ...dag }, NEW_DAG), [dag]);
  const { before, draft, setDraft, meanwhile } = useEdited(read, dag.version);
  const changes = changesOf(before, draft, NEW_DAG);
  const names = Object.keys(changes);
  const back = (): void => {
    go(`/dags/${dag.dag_id}`);
  };
  const save = useAct(() => {
    // The version that was read: a change made meanwhile is not overwritten.
    const params = { path: { dag_id: dag.dag_id }, header: { "If-Match": `"${dag.version}"` } };
    return readAll(api.PATCH("/v1/dags/{dag_id}", { params, body: changes }));
  }, back);
  return (
    <ContractForm
      // Fields show what is written in them: those of another version are others.
      key={dag.version}
      meanwhile={meanwhile}
      onAgain={() => {
        save.forget();
        onAgain();
      }}
      contract={NEW_DAG}
      groups={DAG_GROUPS}
      draft={draft}
      onChange={setDraft}
      verb={`Save as version ${dag.version + 1}`}
      isRunning={save.isRunning}
      problem={save.problem}
      onConfirm={() => {
        if (names.length > 0) save.act();
      }}
      onBack={back}
      manifest={manifestOf("Dag", draft)}
      cli={withDocument(`timegate dags update ${dag.dag_id} --file - --if-version ${dag.version}`, changes)}
      api={`${request("PATCH", `/v1/dags/${dag.dag_id}`)}\n\n${JSON.stringify(changes, null, 2)}`}
      help={
        <>
          <Alert type="info" header={names.length === 0 ? "Nothing is changed yet" : `Changed: ${names.join(", ")}`}>
            Runs that have begun keep to the version that they began with.
          </Alert>
          <Help />
        </>
      }
    />
  );
}

function Help() {
  return (
    <Container header={<Header variant="h2">What a DAG is made of</Header>}>
      <Box variant="p">
        Tasks by key, each with a job or a wait, and edges between them. A schedule starts runs by itself; channels are
        told of ends of its runs, and jobs of <b>Then</b> run once a run has ended. A DAG with one of them has a job of
        its own, whose ledger says what became of each instant.
      </Box>
    </Container>
  );
}
