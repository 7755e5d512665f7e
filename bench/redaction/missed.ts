import type { Redactor } from "../../src/record/redact/index.ts";
import { atMost, type Case } from "../frame.ts";
import { type Sample, samples } from "./samples.ts";

const ESCAPES = ["\u001b", "\\\\x1b", "\\\\033"];
const COLOUR = new RegExp(`(?:${ESCAPES.join("|")})\\[[\\d;]*[A-Za-z]`, "g");
/** So many characters of a long secret are enough to call it left. */
const ENOUGH = 16;

interface Count {
  all: number;
  missed: number;
}

/** How many of the made-up secrets are still there, in percent. */
export async function* missedCases(
  redactor: Redactor,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say("made-up secrets");
  const counts = new Map<string, Count>();
  const add = (name: string, isMissed: boolean) => {
    const count = counts.get(name) ?? { all: 0, missed: 0 };
    counts.set(name, { all: count.all + 1, missed: count.missed + Number(isMissed) });
  };
  for (const sample of samples()) {
    const isMissed = await leaves(redactor, sample);
    const writing = sample.writing.includes("coloured") ? "coloured" : "plain";
    add(writing, isMissed);
    add(`${sample.group}, ${writing}`, isMissed);
  }
  for (const [writing, bar] of [
    ["plain", 6],
    ["coloured", 6],
  ] as const) {
    yield atMost({
      name: `made-up secrets in ${writing} text that are missed`,
      value: percent(counts.get(writing)),
      bar,
      unit: "%",
      detail: [...counts]
        .filter(([name]) => name.endsWith(`, ${writing}`))
        .map(([name, count]) => ({
          name: name.slice(0, -writing.length - 2),
          value: percent(count),
          unit: "%",
        })),
    });
  }
}

function percent(count: Count | undefined): number {
  return count ? Math.round((1000 * count.missed) / count.all) / 10 : 0;
}

async function leaves(redactor: Redactor, { text, isJson, secret }: Sample): Promise<boolean> {
  const input = Buffer.from(text);
  const { bytes } = isJson ? await redactor.redact(input) : await redactor.redactText(input);
  const output = bytes.toString();
  const shown = (isJson ? stringsIn(JSON.parse(output)) : output)
    .replace(COLOUR, "")
    .replaceAll("\n", "");
  if (secret.length <= ENOUGH + 8) return shown.includes(secret);
  for (let at = 0; at + ENOUGH <= secret.length; at++) {
    if (shown.includes(secret.slice(at, at + ENOUGH))) return true;
  }
  return false;
}

/** Everything that a JSON value says, also as JSON inside of it. */
function stringsIn(value: unknown): string {
  if (typeof value === "string") {
    const inside = value.startsWith('{"') ? parsed(value) : undefined;
    return inside === undefined ? value : stringsIn(inside);
  }
  if (typeof value !== "object" || value === null) return "";
  return Object.values(value).map(stringsIn).join("\n");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
