import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  AssistantContent,
  AssistantMessage,
  AssistantMessageEvent,
  Message,
  Model,
} from "../../../events/index.ts";
import type { AssistantMessageStream, ModelRequest } from "../../../extensions/index.ts";
import { Models, type ModelsOptions } from "../models.ts";
import { usageOf } from "../usage.ts";

const NOWHERE = join(tmpdir(), "seam-models-test-there-is-no-such-folder");

/** Models of this process alone: no files of the user's, no variables. */
export function lonelyModels(options: ModelsOptions = {}): Models {
  return new Models({
    env: {},
    modelsFile: join(NOWHERE, "models.json"),
    authFile: join(NOWHERE, "auth.json"),
    ...options,
  });
}

export const user = (content: string): Message => ({ role: "user", content, timestamp: 1 });

export function assistant(model: Model, content: AssistantContent[]): AssistantMessage {
  return {
    role: "assistant",
    content,
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: usageOf(model),
    stopReason: "toolUse",
    timestamp: 2,
  };
}

export const READ_TOOL = {
  name: "read",
  description: "Reads a file.",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

export const HELLO: ModelRequest = { systemPrompt: "Be brief.", messages: [user("Hello")] };

export interface Heard {
  readonly events: AssistantMessageEvent[];
  readonly types: string[];
  readonly message: AssistantMessage;
}

export async function hear(stream: AssistantMessageStream): Promise<Heard> {
  const events: AssistantMessageEvent[] = [];
  for await (const event of stream) events.push(event);
  const message = await stream.result();
  return { events, types: events.map(({ type }) => type), message };
}
