import SpaceBetween from "@cloudscape-design/components/space-between";
import type { ReactNode } from "react";

import type { LiveQuery } from "./reading";
import { ProblemAlert } from "./problems/ProblemAlert";
import { Skeleton } from "./skeleton/Skeleton";

interface Props<T> {
  live: LiveQuery<T>;
  children: (data: T) => ReactNode;
}

/** Shows an answer once it is there, and the last one beside the refusal of a later read. */
export function Live<T>({ live, children }: Props<T>) {
  const { data, problem } = live;
  if (data === undefined) {
    if (problem !== null) return <ProblemAlert problem={problem} />;
    return <Skeleton />;
  }
  return (
    <SpaceBetween size="m">
      {problem !== null && <ProblemAlert problem={problem} />}
      {children(data)}
    </SpaceBetween>
  );
}
