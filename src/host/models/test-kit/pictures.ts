import type { Message, Model } from "../../../events/index.ts";
import { assistant, user } from "./ask.ts";

export const PICTURE = { type: "image" as const, data: "aGk=", mimeType: "image/png" };

/** A conversation in which a tool answered with words and a picture. */
export function conversationWithPicture(model: Model): Message[] {
  return [
    user("Look"),
    assistant(model, [{ type: "toolCall", id: "t1", name: "shot", arguments: {} }]),
    {
      role: "toolResult",
      toolCallId: "t1",
      toolName: "shot",
      content: [{ type: "text", text: "here" }, PICTURE],
      isError: false,
      timestamp: 3,
    },
  ];
}
