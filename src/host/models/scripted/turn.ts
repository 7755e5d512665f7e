import type { AssistantMessage } from "../../../events/index.ts";
import type { TokenCounts } from "../usage.ts";
import type { ScriptedTurn } from "./parse-script.ts";

type ScriptedBlock = NonNullable<ScriptedTurn["content"]>[number];

/** A block of an answer and the text that is streamed for it. */
export type TurnBlock =
  | { readonly type: "text" | "thinking"; readonly text: string }
  | {
      readonly type: "toolCall";
      readonly name: string;
      readonly id: string | undefined;
      /** The arguments as JSON, or what the model sent instead. */
      readonly text: string;
    };

/** One answer of the scripted model, ready to be played. */
export interface PlayableTurn {
  readonly blocks: readonly TurnBlock[];
  readonly error: ScriptedTurn["error"];
  readonly delayMs: number;
  readonly chunkSize: number | undefined;
  readonly usage: Partial<TokenCounts>;
  readonly stopReason: AssistantMessage["stopReason"] | undefined;
  readonly when: RegExp | undefined;
}

/** Throws with what is wrong. */
export function toTurn(turn: ScriptedTurn): PlayableTurn {
  const { text, thinking, toolCalls = [], content = [] } = turn;
  const shorthand = [
    ...(thinking === undefined ? [] : [{ thinking }]),
    ...(text === undefined ? [] : [{ text }]),
    ...toolCalls,
  ];
  if (content.length > 0 && shorthand.length > 0) {
    throw new Error('use either "content" or text, thinking and toolCalls');
  }
  return {
    blocks: [...content, ...shorthand].map(toBlock),
    error: turn.error,
    delayMs: turn.delayMs ?? 0,
    chunkSize: turn.chunkSize,
    usage: turn.usage ?? {},
    stopReason: turn.stopReason,
    when: turn.when === undefined ? undefined : new RegExp(turn.when),
  };
}

function toBlock(block: ScriptedBlock): TurnBlock {
  const { text, thinking, name, malformed } = block;
  if ([text, thinking, name].filter((one) => one !== undefined).length !== 1) {
    throw new Error('each block of "content" has one of text, thinking, name');
  }
  if (text !== undefined) return { type: "text", text };
  if (thinking !== undefined) return { type: "thinking", text: thinking };
  if (malformed !== undefined && block.arguments) {
    throw new Error(`the call of "${name}" has both arguments and malformed`);
  }
  const json = malformed ?? JSON.stringify(block.arguments ?? {});
  return { type: "toolCall", name: name ?? "", id: block.id, text: json };
}
