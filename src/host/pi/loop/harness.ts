import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import type { AgentMessage, AssistantMessage, UserContent } from "../../../events/index.ts";
import { contextTokens } from "../../compaction/index.ts";

/** What came of something, without a throw. */
type Result<T> = { ok: true; value: T } | { ok: false; error: unknown };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const err = (error: unknown): Result<never> => ({ ok: false, error });
export function getOrThrow<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw result.error;
}
export const getOrUndefined = <T>(result: Result<T>) => (result.ok ? result.value : undefined);
export const toError = (thrown: unknown) =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

/** An error with a code that programs look at. */
class CodedError extends Error {
  readonly code: string;

  constructor(code: string, message: string, cause?: Error) {
    super(message, cause ? { cause } : {});
    this.code = code;
    this.name = new.target.name;
  }
}
export class AgentHarnessError extends CodedError {}
export class BranchSummaryError extends CodedError {}
export class CompactionError extends CodedError {}
export class ExecutionError extends CodedError {}
export class SessionError extends CodedError {}
export class FileError extends CodedError {
  readonly path: string | undefined;

  constructor(code: string, message: string, path?: string, cause?: Error) {
    super(code, message, cause);
    this.path = path;
  }
}

export const COMPACTION_SUMMARY_PREFIX =
  "The conversation history before this point was compacted into the following summary:\n\n<summary>\n";
export const COMPACTION_SUMMARY_SUFFIX = "\n</summary>";
export const BRANCH_SUMMARY_PREFIX =
  "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n";
export const BRANCH_SUMMARY_SUFFIX = "</summary>";
export const GREP_MAX_LINE_LENGTH = 500;

const timeOf = (timestamp: string | number) =>
  typeof timestamp === "number" ? timestamp : Date.parse(timestamp);

export const createCompactionSummaryMessage = (
  summary: string,
  tokensBefore: number,
  timestamp: string | number,
): AgentMessage => ({
  role: "compactionSummary",
  summary,
  tokensBefore,
  timestamp: timeOf(timestamp),
});
export const createBranchSummaryMessage = (
  summary: string,
  fromId: string,
  timestamp: string | number,
): AgentMessage => ({
  role: "branchSummary",
  summary,
  fromId,
  timestamp: timeOf(timestamp),
});
export const createCustomMessage = (
  customType: string,
  content: string | UserContent[],
  display: boolean,
  details: unknown,
  timestamp: string | number,
): AgentMessage => ({
  role: "custom",
  customType,
  content,
  display,
  details,
  timestamp: timeOf(timestamp),
});

/** A command of the user as the model reads it. */
export function bashExecutionToText(message: {
  command: string;
  output: string;
  exitCode?: number;
  cancelled?: boolean;
  truncated?: boolean;
  fullOutputPath?: string;
}): string {
  const { command, output, exitCode, cancelled, truncated, fullOutputPath } = message;
  const end = cancelled
    ? "\n\n(command cancelled)"
    : exitCode
      ? `\n\nCommand exited with code ${exitCode}`
      : "";
  const more =
    truncated && fullOutputPath ? `\n\n[Output truncated. Full output: ${fullOutputPath}]` : "";
  return `Ran \`${command}\`\n${output ? `\`\`\`\n${output}\n\`\`\`` : "(no output)"}${end}${more}`;
}

export const createSessionId = () => randomUUID();
export const createTimestamp = () => new Date().toISOString();

/** How large a conversation is: what was counted with its last answer, and an estimate of the rest. */
export function estimateContextTokens(messages: AgentMessage[]) {
  const at = messages.findLastIndex((message) => isCounted(message));
  const last = messages[at];
  const usageTokens = last?.role === "assistant" ? last.usage.totalTokens : 0;
  const tokens = contextTokens(messages);
  return {
    tokens,
    usageTokens,
    trailingTokens: tokens - usageTokens,
    lastUsageIndex: at < 0 ? null : at,
  };
}

function isCounted(message: AgentMessage): message is AssistantMessage {
  return (
    message.role === "assistant" &&
    message.stopReason !== "error" &&
    message.stopReason !== "aborted"
  );
}

/** Words of a command line, with quotes. */
export function parseCommandArgs(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}

/** Fills `$1`, `$@`, `$ARGUMENTS` and `${@:2:1}` in. */
export function substituteArgs(content: string, args: readonly string[]): string {
  const all = args.join(" ");
  return content
    .replace(/\$\{@:(\d+)(?::(\d+))?\}/g, (_, from: string, count?: string) => {
      const start = Math.max(0, Number(from) - 1);
      return args.slice(start, count === undefined ? undefined : start + Number(count)).join(" ");
    })
    .replace(/\$(\d+)/g, (_, index: string) => args[Number(index) - 1] ?? "")
    .replaceAll("$ARGUMENTS", () => all)
    .replaceAll("$@", () => all);
}

export const formatPromptTemplateInvocation = (
  template: { content: string },
  args: readonly string[] = [],
) => substituteArgs(template.content, args);

interface Skill {
  readonly name: string;
  readonly description: string;
  readonly filePath: string;
  readonly content?: string;
  readonly disableModelInvocation?: boolean;
}

export function formatSkillInvocation(skill: Skill, instructions?: string): string {
  const from = `References are relative to ${dirname(skill.filePath)}.`;
  const content = `${from}\n\n${skill.content ?? ""}`;
  const block = `<skill name="${skill.name}" location="${skill.filePath}">\n${content}\n</skill>`;
  return instructions ? `${block}\n\n${instructions}` : block;
}

/** What a terminal would take for commands, and halves of characters, taken out of a text. */
export function sanitizeBinaryOutput(text: string): string {
  return [...text].filter((char) => SHOWN.test(char)).join("");
}

const SHOWN = /^[\n\t\r]$|^[^\p{Cc}\p{Cs}]$/u;
