import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../../values/index.ts";

interface Tool {
  name: string;
  description?: string;
  parameters?: unknown;
}
interface Message {
  role: string;
  content?: unknown;
  [field: string]: unknown;
}
/** In Pi 1.5 the system prompt and the tools are a message; later ones change them. */
interface SystemMessage extends Message {
  role: "system";
  content: string;
  tools?: Tool[];
  toolsAdded?: Tool[];
  toolsRemoved?: { name: string }[];
}
interface Transcript {
  messages: Message[];
}

export function contentText(content: unknown, separator = "\n"): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((block) => (isRecord(block) && block.type === "text" ? [String(block.text)] : []))
    .join(separator);
}

const isSystem = (message: Message): message is SystemMessage => message.role === "system";

export const getSystemMessageText = (message: Message) => contentText(message.content);

/** How a change is told to a model that takes system messages only at the start. */
export function renderSystemMessageUpdate(message: Message): string {
  return `<system-update>\n${getSystemMessageText(message)}\n</system-update>`;
}

export function createInitialSystemMessage(
  systemPrompt: string | undefined,
  tools: readonly Tool[] | undefined,
): SystemMessage | undefined {
  if (systemPrompt === undefined && (tools ?? []).length === 0) return undefined;
  const given = tools?.map(toToolDeclaration);
  return {
    role: "system",
    content: systemPrompt ?? "",
    ...(given && { tools: given }),
    timestamp: Date.now(),
  };
}

/** Pi's earlier form with prompt and tools beside the messages, in the later one. */
export function normalizeContext(
  context: Transcript & { systemPrompt?: string; tools?: Tool[] },
): Transcript {
  const initial = createInitialSystemMessage(context.systemPrompt, context.tools);
  return { messages: initial ? [initial, ...context.messages] : [...context.messages] };
}

export function getInitialSystemMessage(messages: readonly Message[]): SystemMessage | undefined {
  const [first] = messages;
  return first && isSystem(first) ? first : undefined;
}

export function withoutInitialSystemMessage(messages: readonly Message[]): Message[] {
  return getInitialSystemMessage(messages) ? messages.slice(1) : [...messages];
}

/** The tools after all changes. */
export function getCurrentTools(messages: readonly Message[]): Tool[] {
  const tools = new Map<string, Tool>();
  for (const message of messages.filter(isSystem)) {
    if (message.tools) tools.clear();
    for (const tool of [...(message.tools ?? []), ...(message.toolsAdded ?? [])])
      tools.set(tool.name, tool);
    for (const { name } of message.toolsRemoved ?? []) tools.delete(name);
  }
  return [...tools.values()];
}

/** Every tool that was offered at any time, in its last form. */
export function getDeclaredTools(messages: readonly Message[]): Tool[] {
  const tools = new Map<string, Tool>();
  for (const { tools: all = [], toolsAdded = [] } of messages.filter(isSystem)) {
    for (const tool of [...all, ...toolsAdded]) tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

export function getCurrentSystemPrompt(messages: readonly Message[]): string {
  return messages
    .filter(isSystem)
    .map(getSystemMessageText)
    .filter((text) => text !== "")
    .join("\n\n");
}

export function getCurrentSystemMessage(messages: readonly Message[]): SystemMessage | undefined {
  if (!messages.some(isSystem)) return undefined;
  return createInitialSystemMessage(getCurrentSystemPrompt(messages), getCurrentTools(messages));
}

/** All system messages as one at the start. */
export function collapseSystemMessages({ messages, ...rest }: Transcript): Transcript {
  const initial = getCurrentSystemMessage(messages);
  const others = messages.filter((message) => !isSystem(message));
  return { ...rest, messages: initial ? [initial, ...others] : others };
}

/** For a model that knows system messages in between, as it is; for others they come first. */
export function resolveTranscript(
  context: Transcript,
  supportsMidConversation?: boolean,
): Transcript {
  return supportsMidConversation ? context : collapseSystemMessages(context);
}

export function toToolDeclaration({ name, description, parameters }: Tool): Tool {
  return { name, ...(description !== undefined && { description }), parameters };
}

export const declarationsEqual = (a: Tool, b: Tool) =>
  isDeepStrictEqual(toToolDeclaration(a), toToolDeclaration(b));

export function getToolStateChanges(previous: readonly Tool[], current: readonly Tool[]) {
  const has = (tools: readonly Tool[], tool: Tool) =>
    tools.some((one) => declarationsEqual(one, tool));
  return {
    toolsAdded: current.filter((tool) => !has(previous, tool)).map(toToolDeclaration),
    toolsRemoved: previous
      .filter(({ name }) => !current.some((tool) => tool.name === name))
      .map(({ name }) => ({ name })),
  };
}

/** Whether a tool was offered again in another form. */
export function hasToolRedefinitions(messages: readonly Message[]): boolean {
  const seen = new Map<string, Tool>();
  return messages.filter(isSystem).some(({ tools = [], toolsAdded = [] }) =>
    [...tools, ...toolsAdded].some((tool) => {
      const before = seen.get(tool.name);
      seen.set(tool.name, tool);
      return before !== undefined && !declarationsEqual(before, tool);
    }),
  );
}

export function hasNonAdditiveToolChanges(messages: readonly Message[]): boolean {
  const removed = messages
    .filter(isSystem)
    .some(({ toolsRemoved = [] }) => toolsRemoved.length > 0);
  return removed || hasToolRedefinitions(messages);
}

/** Which tools a request names, and how many changes are in them already. */
export function resolveTranscriptTools(
  messages: readonly Message[],
  support: "none" | "additions" | "changes",
) {
  const system = messages.filter(isSystem).length;
  const canChange =
    support === "changes" || (support === "additions" && !hasNonAdditiveToolChanges(messages));
  if (!canChange) return { requestTools: getCurrentTools(messages), foldedSystemMessages: system };
  return {
    requestTools: getInitialSystemMessage(messages)?.tools ?? [],
    foldedSystemMessages: Math.min(1, system),
  };
}
