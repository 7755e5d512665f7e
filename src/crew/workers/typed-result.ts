import { mismatch } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";

/** What an agent is told that cannot be held to a schema by a flag. */
export function resultRequest(schema: object): string {
  return [
    "When you are done, end with one JSON value and nothing after it. It has to fit this JSON schema:",
    "```json",
    JSON.stringify(schema, null, 2),
    "```",
  ].join("\n");
}

/** The question that is put once, in the same session, where the result cannot be used. */
export function repairRequest(schema: object, problem: string): string {
  return [
    `Your result cannot be used: ${problem}`,
    "Do not do any more work. Answer with the JSON value alone, without any other text.",
    resultRequest(schema),
  ].join("\n\n");
}

/** What a result is, or why it cannot be used. */
export type TypedResult = { readonly value: unknown } | { readonly problem: string };

/** Holds a value to a schema. */
export function checkResult(value: unknown, schema: object): TypedResult {
  const problem = mismatch(schema, value);
  return problem === undefined ? { value } : { problem: `it does not fit the schema: ${problem}.` };
}

/** Finds the JSON in an answer and holds it to the schema. */
export function resultIn(text: string, schema: object): TypedResult {
  let problem = "there is no JSON in it.";
  for (const candidate of candidates(text)) {
    const parsed = parsedJson(candidate);
    if (!parsed) continue;
    const checked = checkResult(parsed.value, schema);
    if ("value" in checked) return checked;
    problem = checked.problem;
  }
  return { problem };
}

/** The whole text, the blocks of code in it, last first, and what stands between outer brackets. */
function* candidates(text: string): Generator<string> {
  yield text;
  const blocks = [...text.matchAll(/```(?:json)?[ \t]*\n([\s\S]*?)\n[ \t]*```/g)];
  for (const [, block = ""] of blocks.reverse()) yield block;
  for (const [open, close] of ["{}", "[]"]) {
    const start = text.indexOf(open ?? "");
    const end = text.lastIndexOf(close ?? "");
    if (start >= 0 && end > start) yield text.slice(start, end + 1);
  }
}

function parsedJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** What is in a file with a result. */
export function resultInFile(text: string | undefined): { readonly value: unknown } | undefined {
  const parsed = text === undefined ? undefined : parsedJson(text);
  return parsed && isRecord(parsed.value) && "value" in parsed.value
    ? { value: parsed.value.value }
    : undefined;
}
