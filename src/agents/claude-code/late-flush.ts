import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const WINDOW = 256 * 1024;
const POLL_MS = 20;
const PATIENCE_MS = 2000;
/** Enough to know an answer by, and never in the middle of what JSON writes for one character. */
const SHOWN = 120;

/**
 * Claude Code writes its transcript behind its own back: at the end of a turn the last answer may
 * not be in it yet. Waits until it is, or for a while.
 */
export async function waitForFlush(
  ref: string,
  { text, timeoutMs = PATIENCE_MS }: { text?: string; timeoutMs?: number },
): Promise<void> {
  const needle = text?.trim() ? Buffer.from(escaped(text.trim())) : undefined;
  const deadline = Date.now() + timeoutMs;
  let size = -1;
  for (;;) {
    const now = await sizeAndTail(ref, size);
    if (needle ? now.tail && isAnswered(now.tail, needle) : now.size === size) return;
    size = now.size;
    const left = deadline - Date.now();
    if (left <= 0) return;
    await sleep(Math.min(POLL_MS, left));
  }
}

/** The end of a text as it stands inside a JSON string. */
function escaped(text: string): string {
  return JSON.stringify([...text].slice(-SHOWN).join("")).slice(1, -1);
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

/** Whether an answer with this end stands after the last prompt. */
function isAnswered(tail: Buffer, needle: Buffer): boolean {
  const lines = tail.toString("latin1").split("\n");
  const wanted = needle.toString("latin1");
  for (const line of lines.reverse()) {
    if (line.includes('"type":"assistant"') && line.includes(wanted)) return true;
    if (isPrompt(line)) return false;
  }
  return false;
}

function isPrompt(line: string): boolean {
  const isMade = line.includes('"tool_use_id"') || line.includes('"isMeta":true');
  return line.includes('"type":"user"') && !isMade;
}
