import { setTimeout as sleep } from "node:timers/promises";
import type { AssistantContent } from "../../../events/index.ts";
import type { Answer } from "../answer.ts";
import type { PlayableTurn, TurnBlock } from "./turn.ts";

interface Stage {
  /** What the user said last; stands where a turn says `{input}`. */
  readonly input: string;
  readonly newCallId: () => string;
  readonly signal: AbortSignal | undefined;
}

/** Lets an answer come in as a turn says: in pieces, slowly, or not to the end. */
export async function playTurn(turn: PlayableTurn, answer: Answer, stage: Stage): Promise<void> {
  const { error } = turn;
  await pause(turn, stage, answer);
  if (error && error.after === undefined) return answer.fail(errorText(error));
  let left = error?.after ?? Number.POSITIVE_INFINITY;
  let first = true;
  answer.start();
  for (const block of turn.blocks) {
    const index = answer.open(emptyBlock(block, stage));
    for (const piece of pieces(filled(block, stage.input), turn.chunkSize)) {
      if (!first) await step(turn, stage, answer);
      first = false;
      if (answer.closed) return;
      answer.append(index, piece.slice(0, left));
      left -= piece.length;
      if (left < 0 && error) return answer.fail(errorText(error));
    }
    answer.end(index);
  }
  answer.use(turn.usage);
  if (error) answer.fail(errorText(error));
  else finish(turn, answer);
}

function finish({ blocks, stopReason }: PlayableTurn, answer: Answer): void {
  const called = blocks.some(({ type }) => type === "toolCall");
  const reason = stopReason ?? (called ? "toolUse" : "stop");
  if (reason === "error" || reason === "aborted") {
    answer.fail("The script says that this answer failed.", reason);
  } else if (blocks.length === 0 && stopReason === undefined) answer.fail("The answer was empty.");
  else answer.done(reason);
}

function errorText({ status, message }: NonNullable<PlayableTurn["error"]>): string {
  return status === undefined ? message : `HTTP ${status}: ${message}`;
}

function emptyBlock(block: TurnBlock, { newCallId }: Stage): AssistantContent {
  if (block.type === "toolCall") {
    return { type: "toolCall", id: block.id ?? newCallId(), name: block.name, arguments: {} };
  }
  return block.type === "text" ? { type: "text", text: "" } : { type: "thinking", thinking: "" };
}

function filled(block: TurnBlock, input: string): string {
  if (!block.text.includes("{input}")) return block.text;
  // Inside JSON the text must stay one string.
  const value = block.type === "toolCall" ? JSON.stringify(input).slice(1, -1) : input;
  return block.text.replaceAll("{input}", () => value);
}

function* pieces(text: string, size = text.length): Generator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

/** Between two pieces whoever reads the answer gets to see the first, and may abort. */
async function step(turn: PlayableTurn, stage: Stage, answer: Answer): Promise<void> {
  if (turn.delayMs > 0) await pause(turn, stage, answer);
  else if (turn.chunkSize !== undefined) await new Promise((done) => setImmediate(done));
}

async function pause({ delayMs }: PlayableTurn, { signal }: Stage, answer: Answer): Promise<void> {
  if (delayMs === 0 || answer.closed) return;
  // An abort ends the wait; the answer knows of it already.
  await sleep(delayMs, undefined, signal ? { signal } : {}).catch(() => {});
}
