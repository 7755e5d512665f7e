import { isAbsolute } from "node:path";
import type { EventName, UserContent } from "../../events/index.ts";
import { madeUpCallId } from "./call-id.ts";
import { contentOf, textOf } from "./content.ts";
import { known, type Paths, textAt, valueAt } from "./fields.ts";
import type { HookRow, Payload } from "./hook-support.ts";
import type { PayloadStyle } from "./payload-style.ts";
import type { Reading, ToolReading } from "./reading.ts";
import { type SkillSource, skillOfTool } from "./skills.ts";
import { inputOf, readTool, runsOn, type ToolTable } from "./tool-table.ts";

export interface ReaderOptions extends SkillSource {
  readonly style: PayloadStyle;
  readonly tools: ToolTable;
  /** Blocks of a tool's output, where it is not what most agents send. */
  readonly content?: (output: unknown) => UserContent[];
  /** Whether a call failed although the agent does not say so. */
  readonly failed?: (tool: ToolReading, payload: Payload) => boolean;
}

type Part = Partial<Omit<Reading, "sessionId">>;

/** What of a payload is read for which event; for all others the ids are enough. */
const PARTS: Partial<Record<EventName, (options: ReaderOptions, payload: Payload) => Part>> = {
  session_start: ({ style: { start } }, payload) => ({
    start: { reason: meaning(start, payload) ?? "startup" },
  }),
  session_shutdown: ({ style: { end } }, payload) => ({
    end: { reason: meaning(end, payload) ?? "quit" },
  }),
  input: readPrompt,
  before_agent_start: readPrompt,
  agent_start: readPrompt,
  tool_call: readCall,
  tool_result: readResult,
  agent_end: ({ style }, payload) =>
    known({
      lastMessage: textAt(payload, style.lastMessage),
      continued: valueAt(payload, style.continued) === true || undefined,
    }),
  session_before_compact: readCompaction,
  session_compact: readCompaction,
};

/** A payload in Seam's words; undefined if it does not even say which session it is about. */
export function readPayload(
  options: ReaderOptions,
  row: HookRow | undefined,
  payload: Payload,
): Reading | undefined {
  const { style } = options;
  const sessionId = textAt(payload, style.sessionId);
  if (sessionId === undefined) return undefined;
  const parts = (row?.events ?? []).map((event) => PARTS[event]?.(options, payload));
  const reading: Reading = Object.assign(
    { sessionId },
    known({
      cwd: folderAt(payload, style.cwd),
      transcriptPath: textAt(payload, style.transcriptPath),
      turnId: textAt(payload, style.turnId),
      model: textAt(payload, style.model),
      at: timeAt(payload, style.at),
      previousSessionId: previousSession(style, payload),
      metadata: readMetadata(style, payload),
      startedBy: textAt(payload, style.startedBy),
      notice: readNotice(style, payload),
    }),
    ...parts,
  );
  return { ...reading, ...readSubagent(options, row, payload, reading) };
}

/** Undefined for what is no place of its own: where the hook ran says more than `.` does. */
function folderAt(payload: Payload, paths: Paths | undefined): string | undefined {
  const said = textAt(payload, paths);
  return said !== undefined && isAbsolute(said) ? said : undefined;
}

function timeAt(payload: Payload, paths: Paths | undefined): string | undefined {
  const said = valueAt(payload, paths);
  const time = new Date(typeof said === "number" || typeof said === "string" ? said : Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function previousSession({ previousSession: from }: PayloadStyle, payload: Payload) {
  const file = textAt(payload, from?.file);
  return textAt(payload, from?.id) ?? (file && /([^/_]+)\.[a-z]+$/.exec(file)?.[1]);
}

function readMetadata({ metadata = {} }: PayloadStyle, payload: Payload): Reading["metadata"] {
  const said = Object.entries(metadata).flatMap(([name, paths]) => {
    const value = valueAt(payload, paths);
    return value === undefined || typeof value === "object" ? [] : [[name, String(value)]];
  });
  return said.length > 0 ? Object.fromEntries(said) : undefined;
}

function meaning<Reason>(
  said: { from: Paths; means: Readonly<Record<string, Reason>> } | undefined,
  payload: Payload,
): Reason | undefined {
  const word = textAt(payload, said?.from);
  return said && word !== undefined && Object.hasOwn(said.means, word)
    ? said.means[word]
    : undefined;
}

function readNotice({ notice }: PayloadStyle, payload: Payload): Reading["notice"] {
  const kind = textAt(payload, notice?.kind);
  if (kind === undefined) return undefined;
  const asks = kind === notice?.asks;
  return { kind, text: textAt(payload, notice?.text) ?? "", ...(asks && { asks }) };
}

function readPrompt({ style }: ReaderOptions, payload: Payload): Part {
  const prompt = valueAt(payload, style.prompt);
  return typeof prompt === "string" ? { prompt } : {};
}

function readCompaction({ style: { compaction } }: ReaderOptions, payload: Payload): Part {
  const trigger = textAt(payload, compaction?.trigger) === "manual" ? "manual" : "auto";
  const summary = textAt(payload, compaction?.summary);
  return { compaction: { trigger, ...(summary !== undefined && { summary }) } };
}

function readCall(options: ReaderOptions, payload: Payload): Part {
  const tools = toolsIn(options, payload);
  if (!tools) return {};
  const skill = skillOfTool(options, tools[0]);
  return { tools, ...(skill && { skill }) };
}

function toolsIn({ style, tools }: ReaderOptions, payload: Payload): ToolReading[] | undefined {
  const name = textAt(payload, style.tool?.name);
  if (name === undefined) return undefined;
  const input = inputOf(valueAt(payload, style.tool?.input));
  const given = textAt(payload, style.tool?.callId);
  const session = textAt(payload, style.sessionId) ?? "";
  const id = given ?? madeUpCallId(session, name, input);
  return readTool(tools, name, input).map((tool) => ({
    ...tool,
    callId: id,
    ...(given === undefined && { madeUpId: true }),
    ...(runsOn(tools, name, input) && { runsOn: true }),
  }));
}

function readResult(options: ReaderOptions, payload: Payload): Part {
  const { style, content = contentOf, failed } = options;
  const tools = toolsIn(options, payload);
  if (!tools) return {};
  const error = valueAt(payload, style.tool?.error);
  const native = error ?? valueAt(payload, style.tool?.output);
  return {
    tools: tools.map((tool) => {
      const isError = error !== undefined || failed?.(tool, payload) === true;
      return { ...tool, result: { content: content(native), isError, native } };
    }),
  };
}

/** A subagent has hooks of its own, or is what a tool call starts. */
function readSubagent(
  { style }: ReaderOptions,
  row: HookRow | undefined,
  payload: Payload,
  { tools }: Reading,
): Part {
  const { subagent = {}, inSubagent } = style;
  const tells = row?.events.some(isAboutSubagent) ?? false;
  const own = row?.events[0] !== undefined && isAboutSubagent(row.events[0]);
  const said = known({
    id: textAt(payload, subagent.id),
    toolCallId: textAt(payload, subagent.toolCallId),
    type: textAt(payload, subagent.type),
    task: textAt(payload, subagent.task),
    transcriptPath: textAt(payload, subagent.transcriptPath),
    lastMessage: textAt(payload, subagent.lastMessage),
  });
  if (own) return { subagent: said };
  const id = textAt(payload, inSubagent?.id);
  const inside = id !== undefined && { inSubagent: { id, ...typeOf(style, payload) } };
  const [tool] = tools ?? [];
  if (!tells || tool?.name !== "subagent") return { ...inside };
  const { agent, task } = tool.input;
  const result = tool.result && textOf(tool.result.content);
  return {
    ...inside,
    subagent: {
      ...known({
        toolCallId: tool.callId,
        type: typeof agent === "string" ? agent : undefined,
        task: typeof task === "string" ? task : undefined,
        lastMessage: result,
      }),
      input: tool.input,
      ...said,
    },
  };
}

function isAboutSubagent(event: EventName): boolean {
  return event === "subagent_start" || event === "subagent_end";
}

function typeOf({ inSubagent }: PayloadStyle, payload: Payload): { type?: string } {
  return known({ type: textAt(payload, inSubagent?.type) });
}
