import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../../values/index.ts";

interface Tool {
  name: string;
  description?: string;
  parameters?: unknown;
  constrainedSampling?: unknown;
}
interface Message {
  role: string;
  content?: unknown;
  [field: string]: unknown;
}
/** In Pi 1.5 the system prompt and the tools are a message; later ones change them. */
interface SystemMessage extends Message {
  role: "system";
  /** Parts of the prompt by their names; null takes one out again. */
  sections?: Record<string, string | null>;
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

const inParagraphs = (parts: readonly string[]) => parts.filter((part) => part !== "").join("\n\n");

export function getSystemMessageText({ content, sections = {} }: SystemMessage): string {
  const added = Object.values(sections).filter((text) => text !== null);
  return inParagraphs([contentText(content), ...added]);
}

/** How a later change is told to a model in the middle of the conversation. */
export function renderSystemMessageUpdate({ content, sections = {} }: SystemMessage): string {
  const changes = Object.entries(sections).map(([name, text]) =>
    text === null
      ? `Removed system prompt section "${name}".`
      : `Updated system prompt section "${name}":\n\n${text}`,
  );
  return inParagraphs([contentText(content), ...changes]);
}

export function createInitialSystemMessage(
  systemPrompt: string | undefined,
  tools: readonly Tool[] | undefined,
): SystemMessage | undefined {
  const hasTools = tools !== undefined && tools.length > 0;
  if (!systemPrompt && !hasTools) return undefined;
  return {
    role: "system",
    content: systemPrompt ?? "",
    ...(hasTools && { toolsAdded: [...tools] }),
    timestamp: 0,
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
    // One that changed is taken out and put in again, in the same message.
    for (const { name } of message.toolsRemoved ?? []) tools.delete(name);
    for (const tool of message.toolsAdded ?? []) tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

/** Every tool that was offered at any time, in its last form. */
export function getDeclaredTools(messages: readonly Message[]): Tool[] {
  const tools = new Map<string, Tool>();
  for (const { toolsAdded = [] } of messages.filter(isSystem)) {
    for (const tool of toolsAdded) tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

export function getCurrentSystemPrompt(messages: readonly Message[]): string {
  const message = getCurrentSystemMessage(messages);
  return message ? getSystemMessageText(message) : "";
}

/** What all system messages together come to: texts below each other, sections and tools as they are last. */
export function getCurrentSystemMessage(messages: readonly Message[]): SystemMessage | undefined {
  const all = messages.filter(isSystem);
  const [first] = all;
  if (!first) return undefined;
  const changed: SystemMessage["sections"] = Object.assign({}, ...all.map((one) => one.sections));
  const sections = Object.entries(changed ?? {}).filter(([, text]) => text !== null);
  const tools = getCurrentTools(all);
  return {
    role: "system",
    content: inParagraphs(all.map(({ content }) => contentText(content))),
    ...(sections.length > 0 && { sections: Object.fromEntries(sections) }),
    ...(tools.length > 0 && { toolsAdded: tools }),
    timestamp: first.timestamp ?? 0,
  };
}

/** All system messages as one at the start. */
export function collapseSystemMessages({ messages }: Transcript): Transcript {
  const initial = getCurrentSystemMessage(messages);
  const others = messages.filter((message) => !isSystem(message));
  return { messages: initial ? [initial, ...others] : others };
}

/** For a model that knows system messages in between, as it is; for others they come first. */
export function resolveTranscript(
  context: Transcript,
  supportsMidConversation?: boolean,
): Transcript {
  return supportsMidConversation ? context : collapseSystemMessages(context);
}

export function toToolDeclaration(tool: Tool): Tool {
  const { name, description, parameters, constrainedSampling } = tool;
  return {
    name,
    ...(description !== undefined && { description }),
    // As a provider is sent it: without what a library keeps in its schemas.
    parameters: JSON.parse(JSON.stringify(parameters ?? {})),
    ...(constrainedSampling !== undefined && { constrainedSampling }),
  };
}

export const declarationsEqual = (a: Tool, b: Tool) =>
  isDeepStrictEqual(toToolDeclaration(a), toToolDeclaration(b));

export function getToolStateChanges(previous: readonly Tool[], current: readonly Tool[]) {
  const has = (tools: readonly Tool[], tool: Tool) =>
    tools.some((one) => declarationsEqual(one, tool));
  return {
    toolsAdded: current.filter((tool) => !has(previous, tool)).map(toToolDeclaration),
    toolsRemoved: previous.filter((tool) => !has(current, tool)).map(({ name }) => ({ name })),
  };
}

/** Whether a tool was offered again in another form. */
export function hasToolRedefinitions(messages: readonly Message[]): boolean {
  const seen = new Map<string, Tool>();
  return messages.filter(isSystem).some(({ toolsAdded = [] }) =>
    toolsAdded.some((tool) => {
      const before = seen.get(tool.name);
      seen.set(tool.name, tool);
      return before !== undefined && !declarationsEqual(before, tool);
    }),
  );
}

export function hasNonAdditiveToolChanges(messages: readonly Message[]): boolean {
  return changesUpTo(messages.filter(isSystem)) > 0;
}

/** How many system messages there are up to the last one that takes a tool away or names one again. */
function changesUpTo(system: readonly SystemMessage[]): number {
  const named = new Set<string>();
  let count = 0;
  for (const [index, { toolsAdded = [], toolsRemoved = [] }] of system.entries()) {
    const isAgain = toolsAdded.some(({ name }) => named.has(name));
    if (toolsRemoved.length > 0 || isAgain) count = index + 1;
    for (const { name } of toolsAdded) named.add(name);
  }
  return count;
}

/**
 * Which tools a request names, and how many changes are in them already. What can take changes in
 * between is told of all tools where they are added; what can take additions alone needs those up to
 * the last other change at once.
 */
export function resolveTranscriptTools(
  messages: readonly Message[],
  support: "none" | "additions" | "changes",
) {
  const system = messages.filter(isSystem);
  const initial = getInitialSystemMessage(messages) ? 1 : 0;
  const folded = {
    none: system.length,
    additions: Math.max(initial, changesUpTo(system)),
    changes: 0,
  }[support];
  return {
    requestTools: getCurrentTools(system.slice(0, folded)),
    foldedSystemMessages: folded,
  };
}
