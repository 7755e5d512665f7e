import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { type Static, Type } from "typebox";
import { messageOf, SeamError } from "../../../errors/index.ts";
import { mismatch, nearest } from "../../../events/index.ts";
import { type PlayableTurn, toTurn } from "./turn.ts";

const ToolCallFields = {
  name: Type.String({ minLength: 1 }),
  arguments: Type.Record(Type.String(), Type.Unknown()),
  /** Sent in place of arguments, as it is. */
  malformed: Type.String(),
  id: Type.String({ minLength: 1 }),
};
const ScriptedCall = Type.Intersect([
  Type.Object({ name: ToolCallFields.name }),
  Type.Partial(Type.Object(ToolCallFields)),
]);
const Block = Type.Partial(
  Type.Object({ text: Type.String(), thinking: Type.String(), ...ToolCallFields }),
);
const Count = Type.Integer({ minimum: 0 });

const TurnFields = Type.Object({
  /** Here and in thinking and arguments, `{input}` is what the user said last. */
  text: Type.String(),
  thinking: Type.String(),
  toolCalls: Type.Array(ScriptedCall),
  /** Blocks in this order, where thinking, text, calls is not the order that is wanted. */
  content: Type.Array(Block),
  error: Type.Object({
    /** "…, retry after 2 s" at its end is understood as a real provider's would be. */
    message: Type.String(),
    status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
    /** The answer begins, and breaks off after so many characters. */
    after: Type.Optional(Count),
  }),
  /** Before the answer, and before each further piece of it. */
  delayMs: Type.Number({ minimum: 0, maximum: 2_147_483_647 }),
  /** Characters per piece; without it each block comes in one. */
  chunkSize: Type.Integer({ minimum: 1 }),
  usage: Type.Partial(
    Type.Object({ input: Count, output: Count, cacheRead: Count, cacheWrite: Count }),
  ),
  stopReason: Type.Union([
    Type.Literal("stop"),
    Type.Literal("length"),
    Type.Literal("toolUse"),
    Type.Literal("error"),
    Type.Literal("aborted"),
  ]),
  /** A regular expression: the turn waits until the last user or tool message fits it. */
  when: Type.String(),
});
const ScriptedTurnSchema = Type.Partial(TurnFields);

const { error: ErrorFields, usage: UsageFields } = TurnFields.properties;
const TURN_KEYS = Object.keys(TurnFields.properties);
const CALL_KEYS = Object.keys(ToolCallFields);
const BLOCK_KEYS = Object.keys(Block.properties);
const ERROR_KEYS = Object.keys(ErrorFields.properties);
const USAGE_KEYS = Object.keys(UsageFields.properties);

/** One answer of the scripted model, as it is written. */
export type ScriptedTurn = Static<typeof ScriptedTurnSchema>;

const ModelFields = Type.Partial(
  Type.Object({
    contextWindow: Type.Integer({ minimum: 1 }),
    maxTokens: Type.Integer({ minimum: 1 }),
    reasoning: Type.Boolean(),
  }),
);

const MODEL_KEYS = Object.keys(ModelFields.properties);

/** What tests want to choose about the model itself, such as a small context window. */
export type ScriptedModel = Static<typeof ModelFields>;

export interface ParsedScript {
  readonly turns: readonly PlayableTurn[];
  readonly model: ScriptedModel;
}

/** JSON with comments: a list of turns, or `{ "turns": […], "model": {…} }`. */
export function parseScript(text: string, path: string): ParsedScript {
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    value = parse(text, errors, { allowTrailingComma: true });
  } catch (thrown) {
    // The parser recurses; a file nested deep enough gets the better of it.
    throw invalid(path, messageOf(thrown));
  }
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split("\n").length;
    throw invalid(path, `${printParseErrorCode(first.error)} in line ${line}`);
  }
  return checkScript(value, path);
}

export function checkScript(value: unknown, path: string): ParsedScript {
  const { turns, model = {} } = Array.isArray(value) ? { turns: value } : loose(value);
  if (!Array.isArray(turns)) throw invalid(path, "there is no list of turns");
  const problem = mismatch(ModelFields, model) ?? unknownKey(model, MODEL_KEYS);
  if (problem) throw invalid(path, `model: ${problem}`);
  const checked = turns.map((turn, index) => checkTurn(turn, `turn ${index + 1}`, path));
  // Boundary: checked against the schema three lines above.
  return { turns: checked, model: model as ScriptedModel };
}

function checkTurn(value: unknown, where: string, path: string): PlayableTurn {
  const problem = mismatch(ScriptedTurnSchema, value) ?? misspelt(value);
  if (problem) throw invalid(path, `${where}: ${problem}`);
  try {
    // Boundary: checked against the schema two lines above.
    return toTurn(value as ScriptedTurn);
  } catch (thrown) {
    throw invalid(path, `${where}: ${messageOf(thrown)}`);
  }
}

/** A misspelt key would otherwise make a turn that silently does less. */
function misspelt(value: unknown): string | undefined {
  const { toolCalls, content, error, usage } = loose(value);
  return (
    unknownKey(value, TURN_KEYS) ??
    unknownKeyInList("toolCalls", toolCalls, CALL_KEYS) ??
    unknownKeyInList("content", content, BLOCK_KEYS) ??
    within("error", unknownKey(error, ERROR_KEYS)) ??
    within("usage", unknownKey(usage, USAGE_KEYS))
  );
}

function unknownKeyInList(name: string, list: unknown, known: readonly string[]) {
  if (!Array.isArray(list)) return undefined;
  for (const [index, one] of list.entries()) {
    const problem = within(`${name}[${index}]`, unknownKey(one, known));
    if (problem) return problem;
  }
  return undefined;
}

function unknownKey(value: unknown, known: readonly string[]): string | undefined {
  const unknown = Object.keys(loose(value)).find((key) => !known.includes(key));
  if (unknown === undefined) return undefined;
  const close = nearest(unknown, known);
  const hint = close ? `; did you mean "${close}"?` : `; it can have ${known.join(", ")}`;
  return `"${unknown}" means nothing${hint}`;
}

function within(name: string, problem: string | undefined): string | undefined {
  return problem && `${name}: ${problem}`;
}

function loose(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function invalid(path: string, detail: string) {
  return new SeamError("SEAM_SCRIPT_INVALID", { path, detail });
}
