import schemas from "../../api/contracts/newDag.json";
import { contractOf, type Node } from "../form/contract";
import { type Group, groupsOf } from "../form/groups";

const WHOLE = contractOf("NewDag", schemas);

/** Without a type, a field is written as JSON: a form of 500 tasks would be read by no person. */
const asJson = (name: string): Node => {
  const description = WHOLE.properties?.[name]?.description;
  return description === undefined ? {} : { description };
};

/** The contract of a new DAG, its tasks and edges written as JSON. */
export const NEW_DAG: Node = {
  ...WHOLE,
  properties: { ...WHOLE.properties, tasks: asJson("tasks"), edges: asJson("edges") },
};

const NAMED: readonly Group[] = [
  { title: "Name", names: ["name", "description", "tags"], isFolded: false },
  { title: "When runs of it start", names: ["schedule"], isFolded: false },
  { title: "What follows", names: ["notifications", "then"], isFolded: false },
  { title: "Tasks and edges", names: ["tasks", "edges"], isFolded: false },
  { title: "Failures and time", names: ["failure_policy", "timeout_seconds"], isFolded: true },
];

export const DAG_GROUPS = groupsOf(NAMED, NEW_DAG.properties ?? {});

/** A first DAG: one task behind another. */
export const FIRST_DAG = {
  name: "",
  tasks: ["first", "second"].map((key) => ({
    key,
    job: { action: { type: "worker", pool: "etl", handler: key } },
  })),
  edges: [{ source: "first", target: "second" }],
};
