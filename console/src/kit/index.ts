/** Parts that every page is made of. */
export { present } from "../api/clock";
export { markNumbers, plainNumbers } from "../api/numbers";
export { announce, useAnnounced } from "./announcing";
export { type Api, ApiContext, readAll, type Schemas, useApi } from "./api";
export { clipped } from "./words/clipped";
export { decimalOf } from "./words/decimals";
export { Instant } from "./words/Instant";
export { Live } from "./Live";
export { type LiveQuery, useAct, useGone, useLive, useOpened } from "./reading";
export { Page } from "./Page";
export { ApiProblem } from "./problems/problem";
export { ProblemAlert } from "./problems/ProblemAlert";
export { isWebAddress, RouteLink, useFollow, useGo, useRouteParam, useSearch, useSearchText, useView } from "./routing";
export { CopiedId } from "./commands/CopiedId";
export { SameByCommand, Snippet } from "./commands/SameByCommand";
export { shellWord } from "./commands/shellWord";
export { isolated } from "./words/isolated";
export { Said } from "./words/Said";
export {
  naming,
  SessionContext,
  TraceUrlContext,
  useMay,
  usePerson,
  useTenant,
} from "./session";
export { Skeleton } from "./skeleton/Skeleton";
export { ago, duration, isZone, localTime, zonedTime } from "./words/times";
export { UnsavedQuestion } from "./unsaved/UnsavedQuestion";
export { useKept, useKeptField, useKeptText, usePlace, useRepeated, useRequestKey } from "./unsaved/useKept";
export { useNow } from "./useNow";
export { useTyped } from "./unsaved/useTyped";
