/**
 * What the calls of the model in a transcript cost, in dollars, from a line on; undefined if the
 * agent does not write it down, or knows no price: then it writes 0. Nothing is guessed from prices.
 */
export function costIn(transcript: Buffer, fromLine: number, endLine?: number): number | undefined {
  if (!transcript.includes('"cost"')) return undefined;
  let total: number | undefined;
  for (const line of transcript.toString().split("\n").slice(fromLine, endLine)) {
    const cost = line.includes('"cost"') ? costOf(line) : undefined;
    if (cost !== undefined) total = (total ?? 0) + cost;
  }
  return total === 0 ? undefined : total;
}

/** `message.usage.cost.total`, as Pi and Seam's own agent write it. */
function costOf(line: string): number | undefined {
  try {
    let value: unknown = JSON.parse(line);
    for (const key of ["message", "usage", "cost", "total"]) {
      value = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
    }
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
