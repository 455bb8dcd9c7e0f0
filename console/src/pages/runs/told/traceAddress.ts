/**
 * The address at which a trace is seen; `null` where the stage names no place.
 *
 * `{trace_id}` is the id as W3C writes it, in 32 digits, `{xray_id}` as X-Ray does:
 * https://docs.aws.amazon.com/xray/latest/devguide/xray-api-sendingdata.html
 */
export function traceAddress(place: string, id: string): string | null {
  if (!place.startsWith("https://") || !/^[0-9a-f]{32}$/.test(id)) return null;
  const xray = `1-${id.slice(0, 8)}-${id.slice(8)}`;
  return place.replaceAll("{trace_id}", id).replaceAll("{xray_id}", xray);
}
