import type { SessionEntry, SessionHeader } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
import type { RawEntry } from "./migrate.ts";

/** What each type needs for the code that reads it to work. Other types pass as they are. */
const NEEDS: Readonly<Record<string, (entry: RawEntry) => boolean>> = {
  message: ({ message }) => isUsableMessage(message),
  model_change: ({ provider, modelId }) => isText(provider) && isText(modelId),
  thinking_level_change: ({ thinkingLevel }) => isText(thinkingLevel),
  compaction: ({ summary }) => isText(summary),
  branch_summary: ({ summary }) => isText(summary),
  custom: ({ customType }) => isText(customType),
  custom_message: ({ customType, content }) => isText(customType) && isContent(content),
  label: ({ targetId }) => isText(targetId),
  usage: ({ kind, provider, model }) => isText(kind) && isText(provider) && isText(model),
  context_edit: ({ targetId, replacement }) =>
    isText(targetId) &&
    (replacement === null || (isRecord(replacement) && isContent(replacement.content))),
  session_info: ({ name }) => name === undefined || isText(name),
};

/** Unknown fields are kept; undefined if it cannot be a header. */
export function parseHeader(raw: RawEntry, cwd: string): SessionHeader | undefined {
  const { id, timestamp, cwd: ownCwd, version, parentSession, ...rest } = raw;
  if (raw.type !== "session" || !isText(id)) return undefined;
  return {
    ...rest,
    type: "session",
    ...(typeof version === "number" && { version }),
    id,
    timestamp: isText(timestamp) ? timestamp : new Date(0).toISOString(),
    cwd: isText(ownCwd) ? ownCwd : cwd,
    ...(isText(parentSession) && { parentSession }),
  };
}

/**
 * An entry others can rely on. One that lacks what its type needs becomes a custom entry around
 * the original: it keeps its place, or what stands below it would be cut off, and nothing is lost.
 * Undefined if it has no id to stand under.
 */
export function parseEntry(raw: RawEntry): { entry: SessionEntry; malformed: boolean } | undefined {
  const { id, type, timestamp } = raw;
  if (!isText(id) || id === "" || !isText(type)) return undefined;
  const isLinked = raw.parentId === null || isText(raw.parentId);
  if (!isLinked) raw.parentId = null;
  const fits = !Object.hasOwn(NEEDS, type) || NEEDS[type]?.(raw) === true;
  // Types not known here pass as they are: who reads entries looks at the type first.
  if (fits) return { entry: raw as unknown as SessionEntry, malformed: !isLinked };
  const entry: SessionEntry = {
    type: "custom",
    id,
    parentId: isText(raw.parentId) ? raw.parentId : null,
    timestamp: isText(timestamp) ? timestamp : new Date(0).toISOString(),
    customType: MALFORMED,
    data: raw,
  };
  return { entry, malformed: true };
}

export const MALFORMED = "seam.malformed";

function isUsableMessage(message: unknown): boolean {
  if (!isRecord(message) || !isText(message.role)) return false;
  const { role, content, summary, command, output } = message;
  if (role === "branchSummary" || role === "compactionSummary") return isText(summary);
  if (role === "bashExecution") return isText(command) && isText(output);
  const hasContent = ["user", "assistant", "toolResult", "custom"].includes(role);
  return !hasContent || isContent(content);
}

function isContent(value: unknown): boolean {
  return isText(value) || (Array.isArray(value) && value.every(isRecord));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
