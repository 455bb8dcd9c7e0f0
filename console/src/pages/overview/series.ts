type Series = readonly (number | null)[];

/** Stands for a number that nothing measured. */
export const SILENT = "–";

const known = (series: Series): number[] => series.filter((each) => each !== null);

const write = (value: number | undefined): string =>
  value === undefined ? SILENT : Math.round(value).toLocaleString("en");

/** Writes the highest of a series: percentiles of spans have no sum. */
export const worst = (series: Series): string => {
  const values = known(series);
  return values.length === 0 ? SILENT : write(Math.max(...values));
};

/** Writes the sum of a series. */
export const sum = (series: Series): string => {
  const values = known(series);
  return values.length === 0 ? SILENT : write(values.reduce((total, value) => total + value, 0));
};

/** Writes the latest number of a series that was measured. */
export const latest = (series: Series): string => write(known(series).at(-1));
