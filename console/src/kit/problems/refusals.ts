import { createContext, type Dispatch, type SetStateAction, useContext, useLayoutEffect } from "react";

/** Counts the refused readings that a page shows: the page has its title as heading where they stand for its content. */
export const RefusalsContext = createContext<Dispatch<SetStateAction<number>>>(() => undefined);

/** Counts a refusal while it is shown. */
export function useCounted(isOfReading: boolean): void {
  const count = useContext(RefusalsContext);
  useLayoutEffect(() => {
    if (!isOfReading) return undefined;
    count((shown) => shown + 1);
    return () => {
      count((shown) => shown - 1);
    };
  }, [count, isOfReading]);
}
