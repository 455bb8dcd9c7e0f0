import { RouteLink, type Schemas } from "../../../kit";

type Told = Pick<Schemas["RunRow"], "explanation" | "reason" | "collapse">;

/** Says in words what became of a run, and leads to the run that stands for it. */
export function Explained({ run }: { run: Told }) {
  const into = run.collapse?.into ?? null;
  if (run.reason !== "collapsed" || into === null) return <>{run.explanation}</>;
  return (
    <>
      {run.explanation}{" "}
      <RouteLink to={`/runs/${into}`} label={`Open the run ${into}, into which it collapsed`}>
        Collapsed into another run
      </RouteLink>
    </>
  );
}
