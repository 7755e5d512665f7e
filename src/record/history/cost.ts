/** How agents write down what a call of the model cost, in dollars. */
const WAYS: readonly { readonly mark: string; costOf(line: string): number | undefined }[] = [
  // Pi and Seam's own agent.
  { mark: '"cost"', costOf: inMessage },
  // Aider: "> Tokens: 2.1k sent, 120 received. Cost: $0.02 message, $0.05 session."
  {
    mark: "> Tokens: ",
    costOf: (line) => dollars(/^> Tokens: .* Cost: \$([\d.,]+) message/.exec(line)),
  },
  // Aider before that: "> 33712 prompt tokens, 95 completion tokens, $0.169985 cost"
  { mark: " completion tokens, ", costOf: (line) => dollars(/^> .*, \$([\d.,]+) cost/.exec(line)) },
];

/**
 * What the calls of the model in a transcript cost, in dollars, from a line on; undefined if the
 * agent does not write it down, or knows no price: then it writes 0. Nothing is guessed from prices.
 */
export function costIn(transcript: Buffer, fromLine: number, endLine?: number): number | undefined {
  const ways = WAYS.filter(({ mark }) => transcript.includes(mark));
  if (ways.length === 0) return undefined;
  let total: number | undefined;
  for (const line of transcript.toString().split("\n").slice(fromLine, endLine)) {
    const way = ways.find(({ mark }) => line.includes(mark));
    const cost = way?.costOf(line);
    if (cost !== undefined) total = (total ?? 0) + cost;
  }
  return total === 0 ? undefined : total;
}

/** `message.usage.cost.total`. */
function inMessage(line: string): number | undefined {
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

function dollars(found: RegExpExecArray | null): number | undefined {
  const value = Number(found?.[1]?.replaceAll(",", "").replace(/\.$/, ""));
  return Number.isFinite(value) ? value : undefined;
}
