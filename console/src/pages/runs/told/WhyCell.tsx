import { Said, type Schemas } from "../../../kit";
import { writeDuration } from "../../timeAxis";
import { Explained } from "./Explained";

type Told = Parameters<typeof Explained>[0]["run"] & Pick<Schemas["RunRow"], "error">;

/** Says in a list why a run ended as it did: by its error, or in words. */
export function WhyCell({ run }: { run: Told }) {
  if (run.error === null) return <Explained run={run} />;
  return (
    <>
      <b>{run.error.code}</b> <Said>{run.error.message}</Said>
    </>
  );
}

/** Writes a measure of a run; one that has none has a dash. */
export const measureOf = (ms: number | null): string => (ms === null ? "–" : writeDuration(ms));
