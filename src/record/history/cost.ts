import { isRecord } from "../../values/index.ts";

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
 * What the calls of the model in a transcript cost, in dollars, from a line or message on; undefined if the
 * agent does not write it down, or knows no price: then it writes 0. Nothing is guessed from prices.
 */
export function costIn(transcript: Buffer, from: number, end?: number): number | undefined {
  const costs =
    costsOfMessages(transcript)?.slice(from, end) ?? costsOfLines(transcript, from, end);
  const known = costs.filter((cost) => cost !== undefined);
  const total = known.reduce((sum, cost) => sum + cost, 0);
  return total === 0 ? undefined : total;
}

function costsOfLines(transcript: Buffer, from: number, end?: number): (number | undefined)[] {
  const ways = WAYS.filter(({ mark }) => transcript.includes(mark));
  if (ways.length === 0) return [];
  const lines = transcript.toString().split("\n").slice(from, end);
  return lines.map((line) => ways.find(({ mark }) => line.includes(mark))?.costOf(line));
}

/** OpenCode: one document, with `info.cost` in each message; undefined if it is none. */
function costsOfMessages(transcript: Buffer): (number | undefined)[] | undefined {
  if (!DOCUMENT.test(transcript.toString("latin1", 0, 200))) return undefined;
  const messages = at(parsed(transcript.toString()), ["messages"]);
  if (!Array.isArray(messages)) return undefined;
  return messages.map((message: unknown) => asNumber(at(message, ["info", "cost"])));
}

const DOCUMENT = /^\s*\{\s*"(?:info|messages)"\s*:/;

/** `message.usage.cost.total`. */
function inMessage(line: string): number | undefined {
  return asNumber(at(parsed(line), ["message", "usage", "cost", "total"]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function at(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
}

function asNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function dollars(found: RegExpExecArray | null): number | undefined {
  const value = Number(found?.[1]?.replaceAll(",", "").replace(/\.$/, ""));
  return Number.isFinite(value) ? value : undefined;
}
