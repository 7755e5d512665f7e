import type { AgentMessage, CompactionPreparation, SessionEntry } from "../../events/index.ts";
import { entryMessages } from "../session/index.ts";
import { toolCallsOf } from "./tool-calls-of.ts";

export type FileOps = NonNullable<CompactionPreparation["fileOps"]>;

/** The lists stay in the `details` of a summary, so that they outlive any number of compactions. */
export interface SummaryDetails {
  readFiles: string[];
  modifiedFiles: string[];
}

const OPERATIONS: Readonly<Record<string, keyof FileOps>> = {
  read: "read",
  write: "written",
  edit: "edited",
};

/**
 * The files that the given part of a conversation read and changed. `before`: earlier summaries,
 * whose lists go on.
 */
export function collectFileOps(
  entries: readonly SessionEntry[],
  before: readonly (SessionEntry | undefined)[] = [],
): FileOps {
  const ops: FileOps = { read: new Set(), written: new Set(), edited: new Set() };
  for (const entry of [...before, ...entries]) {
    if (entry?.type !== "compaction" && entry?.type !== "branch_summary") continue;
    for (const path of stringsIn(entry.details, "readFiles")) ops.read.add(path);
    for (const path of stringsIn(entry.details, "modifiedFiles")) ops.edited.add(path);
  }
  const messages = entryMessages(entries);
  const failed = failedCalls(messages);
  for (const { id, name, arguments: args } of messages.flatMap(toolCallsOf)) {
    const operation = Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
    const path = args?.path ?? args?.file_path;
    if (operation && typeof path === "string" && !failed.has(id)) ops[operation].add(path);
  }
  return ops;
}

/** A file that was read and changed is listed as changed only. */
export function compactionDetails({ read, written, edited }: FileOps): SummaryDetails {
  const modified = new Set([...written, ...edited]);
  const readOnly = [...read].filter((path) => !modified.has(path));
  return { readFiles: readOnly.sort(), modifiedFiles: [...modified].sort() };
}

/** A write that did not happen changed nothing. */
function failedCalls(messages: readonly AgentMessage[]): ReadonlySet<string> {
  const ids = messages.flatMap((message) =>
    message.role === "toolResult" && message.isError ? [message.toolCallId] : [],
  );
  return new Set(ids);
}

/** Extensions write their own details; what does not look like a list of paths is theirs. */
function stringsIn(details: unknown, field: keyof SummaryDetails): string[] {
  if (typeof details !== "object" || details === null) return [];
  const value: unknown = Reflect.get(details, field);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
