import { useEffect, useState } from "react";

import { present } from "../api/clock";

/** Returns the present in milliseconds since 1970, on the API's clock, and again after each period. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => present());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(present());
    }, everyMs);
    return () => {
      clearInterval(timer);
    };
  }, [everyMs]);
  return now;
}
