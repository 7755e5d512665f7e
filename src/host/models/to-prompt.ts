import type {
  AssistantMessage,
  ImageContent,
  Message,
  Model,
  ToolResultMessage,
  UserContent,
} from "../../events/index.ts";
import type { ModelRequest } from "../../extensions/index.ts";
import type { Api } from "./apis/index.ts";
import type { Prompt, PromptMessage } from "./sdk-types.ts";

type User = Extract<PromptMessage, { role: "user" }>;
type Assistant = Extract<PromptMessage, { role: "assistant" }>;
type Tool = Extract<PromptMessage, { role: "tool" }>;
type UserPart = User["content"][number];
type Shown = Extract<ToolPart["output"], { type: "content" }>["value"][number];
type ToolPart = Extract<Tool["content"][number], { type: "tool-result" }>;

const NO_IMAGE = "(There is an image here, which this model cannot see.)";

/** The conversation as the AI SDK wants it. */
export function toPrompt(model: Model, request: ModelRequest, api: Api): Prompt {
  const prompt: Prompt = [];
  const { systemPrompt, messages } = request;
  if (systemPrompt) prompt.push({ role: "system", content: systemPrompt, ...cached(api) });
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at];
    if (message?.role === "toolResult") {
      const results = resultsFrom(messages, at);
      prompt.push(...toolMessages(model, results, api));
      at += results.length - 1;
    } else if (message) {
      prompt.push(
        ...(message.role === "user"
          ? user(model, message.content)
          : assistant(model, message, api)),
      );
    }
  }
  const last = prompt.at(-1);
  if (last && last.role !== "system") Object.assign(last, cached(api));
  return prompt;
}

const cached = ({ cachePoint }: Api) => (cachePoint ? { providerOptions: cachePoint } : {});

/** Providers want the results of one answer together in one message. */
function resultsFrom(messages: readonly Message[], start: number): ToolResultMessage[] {
  const results: ToolResultMessage[] = [];
  for (const message of messages.slice(start)) {
    if (message.role !== "toolResult") break;
    results.push(message);
  }
  return results;
}

function user(model: Model, content: string | UserContent[]): User[] {
  const blocks = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  const parts = blocks.flatMap((block): UserPart[] => {
    if (block.type === "image") return [image(model, block)];
    // Anthropic refuses empty texts.
    return block.text === "" ? [] : [{ type: "text", text: block.text }];
  });
  return parts.length > 0 ? [{ role: "user", content: parts }] : [];
}

function image(model: Model, { data, mimeType }: ImageContent): UserPart {
  if (!model.input.includes("image")) return { type: "text", text: NO_IMAGE };
  return { type: "file", data, mediaType: mimeType };
}

function assistant(model: Model, message: AssistantMessage, api: Api): Assistant[] {
  // Signatures are only good for the model that made them, and thinking is nothing without.
  const own =
    message.provider === model.provider && message.api === model.api && message.model === model.id;
  const content = message.content.flatMap((block): Assistant["content"] => {
    const providerOptions = own ? api.writeSignature(block) : {};
    switch (block.type) {
      case "text":
        if (block.text === "") return [];
        return [{ type: "text", text: block.text, ...(providerOptions && { providerOptions }) }];
      case "thinking":
        if (!own || !providerOptions) return [];
        return [{ type: "reasoning", text: block.thinking, providerOptions }];
      case "toolCall":
        return [
          {
            type: "tool-call",
            toolCallId: callId(block.id),
            toolName: block.name,
            input: block.arguments,
            ...(providerOptions && { providerOptions }),
          },
        ];
      default:
        return [];
    }
  });
  return content.length > 0 ? [{ role: "assistant", content }] : [];
}

function toolMessages(model: Model, results: ToolResultMessage[], api: Api): PromptMessage[] {
  const content = results.map((result): ToolPart => {
    const { toolCallId, toolName } = result;
    const output = toolOutput(model, result, api);
    return { type: "tool-result", toolCallId: callId(toolCallId), toolName, output };
  });
  const tool: Tool = { role: "tool", content };
  if (api.imagesInToolResults) return [tool];
  const images = results.flatMap((result) =>
    result.content.filter((part) => part.type === "image"),
  );
  if (images.length === 0 || !model.input.includes("image")) return [tool];
  const text = { type: "text" as const, text: "The images of the tool results above:" };
  return [tool, ...user(model, [text, ...images])];
}

function toolOutput(model: Model, result: ToolResultMessage, api: Api): ToolPart["output"] {
  const { content, isError } = result;
  const sees = model.input.includes("image");
  if (!sees || !api.imagesInToolResults || content.every((block) => block.type === "text")) {
    const stand = sees ? "(An image; it follows below.)" : NO_IMAGE;
    const shown = content.map((block) => (block.type === "text" ? block.text : stand));
    // An empty result reads like a missing one to some models, and some providers refuse it.
    const value = shown.join("\n") || "(no output)";
    return { type: isError ? "error-text" : "text", value };
  }
  const value = content.flatMap((block): Shown[] => {
    if (block.type === "image") {
      return [{ type: "image-data", data: block.data, mediaType: block.mimeType }];
    }
    return block.text === "" ? [] : [{ type: "text", text: block.text }];
  });
  return { type: "content", value };
}

/** Pi joins two ids with "|"; providers accept letters, digits, "_" and "-", and 64 of them. */
function callId(id: string): string {
  return (id.split("|")[0] ?? id).replace(/[^\w-]/g, "_").slice(0, 64);
}
