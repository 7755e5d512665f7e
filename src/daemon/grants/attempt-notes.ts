import { appendFileSync, existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import { readText } from "../../files/index.ts";
import { isRecord } from "../../values/index.ts";

/** One hook of an attempt that was heard, as it is noted in the attempt's folder. */
export interface HeardHook {
  readonly at: string;
  readonly hook: string;
  readonly session: string;
  readonly events: readonly string[];
  readonly transcript?: string;
  readonly model?: string;
  readonly tool?: string;
  /** Why its call was not allowed. */
  readonly blocked?: string;
}

/** A word to an attempt that lies in its folder until a hook takes it along. */
export interface LeftWord {
  readonly file: string;
  readonly text: string;
}

const HEARD = "heard.jsonl";
const INBOX = "inbox";
const DELIVERED = "delivered";

export function noteHeard(folder: string, heard: HeardHook): void {
  appendFileSync(join(folder, HEARD), `${JSON.stringify(heard)}\n`);
}

/** Words that were left for an attempt, in the order in which they were left. */
export function leftWords(folder: string): LeftWord[] {
  const inbox = join(folder, INBOX);
  if (!existsSync(inbox)) return [];
  const names = readdirSync(inbox).filter((name) => name.endsWith(".json"));
  return names.sort().flatMap((name) => {
    const file = join(inbox, name);
    const text = wordIn(readText(file) ?? "");
    return text === undefined ? [] : [{ file, text }];
  });
}

/** Removes a word that has reached the model. */
export function markDelivered(folder: string, { file }: LeftWord): void {
  const delivered = join(folder, DELIVERED);
  mkdirSync(delivered, { recursive: true });
  renameSync(file, join(delivered, basename(file)));
}

function wordIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && typeof value.text === "string" ? value.text : undefined;
  } catch {
    return undefined;
  }
}
