/** Counts runs of a forecast that fall into a freeze. */

export interface Forecast {
  from: string;
  queues: { minutes: number[] }[];
}

const MINUTE = 60_000;

/** Sums up the forecast's minutes that begin within the span. */
export function heldOfForecast(forecast: Forecast, starts: number, ends: number): number {
  const from = Date.parse(forecast.from);
  const first = Math.max(0, Math.floor((starts - from) / MINUTE));
  const last = Math.ceil((ends - from) / MINUTE);
  return forecast.queues
    .flatMap(({ minutes }) => minutes.slice(first, Math.max(first, last)))
    .reduce((sum, runs) => sum + runs, 0);
}
