import type { HookService } from "./hooks/hook-service.ts";
import type { JournalEntry } from "./journal/entry.ts";
import type { EntryStore, Progress } from "./journal/refused-store.ts";
import type { RecordQueue } from "./record-queue.ts";
import type { Spool } from "./spool/spool.ts";
import { fileOfId } from "./spool/spool-name.ts";

interface Parts {
  readonly journal: EntryStore;
  readonly cursor: Progress;
  readonly queue: RecordQueue;
  readonly hookService: HookService;
  readonly spool: Spool;
  /** Is called with a hook whose client does not wait for an answer any more. */
  readonly abandoned: (hookId: string) => void;
  /** Is called once with the hooks whose clients still wait for an answer. */
  readonly unanswered: (hookIds: readonly string[]) => void;
}

/** So many of the last hooks are known again when somebody sends them once more. */
const REMEMBERED = 1_000;
/** A plugin that lost its daemon sends its hook again within this time. */
const SENT_AGAIN_MS = 30_000;
/** Hooks that are older have nothing to do with what runs now. */
const LONGEST_CALL_MS = 60 * 60_000;

/** Hands over what a daemon that died had accepted and not recorded. */
export function recover({ journal, cursor, queue, hookService, ...parts }: Parts): void {
  const { spool, abandoned, unanswered } = parts;
  const waiting: string[] = [];
  for (const entry of journal.after(Math.max(0, cursor.value - REMEMBERED))) {
    hookService.remember(entry);
    if (mayBeOpen(entry)) hookService.recall(entry);
    if (entry.seq <= cursor.value || entry.isStruck) continue;
    queue.expect(entry.seq, hookService.laneOf(entry));
    const state = spool.stateOf(entry.id);
    if (state === "awaited" || mayBeSentAgain(entry)) {
      hookService.expect(entry);
      waiting.push(entry.id);
      continue;
    }
    hookService.replay(entry);
    const name = fileOfId(entry.id);
    if (state !== "left") continue;
    abandoned(entry.id);
    if (name !== undefined) spool.remove(name);
  }
  journal.strikeRest(cursor.value);
  unanswered(waiting);
}

/** A call that began with it may still be running. */
function mayBeOpen({ at }: JournalEntry): boolean {
  return Date.now() - Date.parse(at) < LONGEST_CALL_MS;
}

/** It came without a file, from a plugin, just now. */
function mayBeSentAgain({ id, at }: JournalEntry): boolean {
  return fileOfId(id) === undefined && Date.now() - Date.parse(at) < SENT_AGAIN_MS;
}
