const DECIMAL = /^-?\d+(\.\d+)?$/;

/** Reads a number of plain digits, as the command line does; NaN for others: 1e3 and 0x10 are numbers to a browser alone. */
export const decimalOf = (text: string): number => (DECIMAL.test(text.trim()) ? Number(text) : Number.NaN);
