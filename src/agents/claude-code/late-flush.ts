import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parsed, record } from "../transcripts/json.ts";
import { textOf } from "../transcripts/text-blocks.ts";

const WINDOW = 256 * 1024;
const POLL_MS = 20;
const PATIENCE_MS = 2000;

/**
 * Claude Code writes its transcript behind its own back: at the end of a turn the last answer may
 * not be in it yet. Waits until it is, or for a while.
 */
export async function waitForFlush(
  ref: string,
  { text, timeoutMs = PATIENCE_MS }: { text?: string; timeoutMs?: number },
): Promise<void> {
  const answer = text?.trim();
  const deadline = Date.now() + timeoutMs;
  let size = -1;
  for (;;) {
    const now = await sizeAndTail(ref, size);
    if (answer ? now.tail && endsWith(now.tail, answer) : now.size === size) return;
    size = now.size;
    const left = deadline - Date.now();
    if (left <= 0) return;
    await sleep(Math.min(POLL_MS, left));
  }
}

/** The end of the file; nothing is read while its size is the same. */
async function sizeAndTail(
  ref: string,
  known: number,
): Promise<{ size: number; tail: Buffer | undefined }> {
  let file: FileHandle | undefined;
  try {
    file = await open(ref, "r");
    const { size } = await file.stat();
    if (size === known) return { size, tail: undefined };
    const tail = Buffer.alloc(Math.min(WINDOW, size));
    const { bytesRead } = await file.read(tail, 0, tail.length, size - tail.length);
    return { size, tail: tail.subarray(0, bytesRead) };
  } catch {
    return { size: -1, tail: undefined };
  } finally {
    await file?.close();
  }
}

/**
 * Whether the last thing said is this answer. Everything before it is older: the same words, and
 * lines that hold them in an id or in a call. A line that is not whole yet is still to come.
 */
function endsWith(tail: Buffer, answer: string): boolean {
  for (const line of tail.toString("utf8").split("\n").reverse()) {
    if (!isMessage(line)) continue;
    const { type, message, isMeta, isSidechain } = record(parsed(line));
    if (isMeta === true || isSidechain === true) continue;
    const { content, stop_reason } = record(message);
    const said = textOf(content)?.trim();
    return type === "assistant" && stop_reason !== "tool_use" && !!said && answer.endsWith(said);
  }
  return false;
}

const isMessage = (line: string) =>
  line.includes('"type":"user"') || line.includes('"type":"assistant"');
