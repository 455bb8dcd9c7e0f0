import { type Api, type ApiProblem, readAll } from "../kit";
import { unreachable } from "../kit/problems/problem";

const ID = /^[a-z2-7]{26}$/;

/** Tells if a text is the id of a job, a DAG, a DAG run or an operation: they have one shape. */
export const isId = (text: string): boolean => ID.test(text);

/** Finds the page of an id by what the API has under it; null: nothing. Throws the refusal that leaves it open. */
export async function findPlace(api: Api, id: string): Promise<string | null> {
  const reads: [string, Promise<unknown>][] = [
    ["/jobs", readAll(api.GET("/v1/jobs/{job_id}", { params: { path: { job_id: id } } }))],
    ["/dag-runs", readAll(api.GET("/v1/dag-runs/{dag_run_id}", { params: { path: { dag_run_id: id } } }))],
    ["/dags", readAll(api.GET("/v1/dags/{dag_id}", { params: { path: { dag_id: id } } }))],
    ["/operations", readAll(api.GET("/v1/operations/{operation_id}", { params: { path: { operation_id: id } } }))],
  ];
  const answers = await Promise.allSettled(reads.map(([, read]) => read));
  const found = reads.find((_, index) => answers[index]?.status === "fulfilled");
  if (found !== undefined) return `${found[0]}/${id}`;
  const open = answers.map(refusalOf).find((refusal) => refusal !== null && refusal.problem.status !== 404);
  if (open != null) throw open;
  return null;
}

function refusalOf(answer: PromiseSettledResult<unknown>): ApiProblem | null {
  return answer.status === "rejected" ? unreachable(answer.reason) : null;
}
