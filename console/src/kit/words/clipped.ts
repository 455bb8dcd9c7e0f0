/** Returns the first characters of a text, counted as the API counts them: a browser counts an emoji twice, and would cut it in two. */
export const clipped = (text: string, most: number): string =>
  text.length <= most ? text : Array.from(text).slice(0, most).join("");
