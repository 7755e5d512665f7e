import { Type } from "typebox";
import { declare } from "../declaration.ts";
import { replacementMismatch } from "../message-shapes.ts";
import { about, S } from "../schemas.ts";

export const messageEvents = {
  context: declare("context", {
    group: "message",
    kind: "transform",
    doc: "Before each model call: change the messages that are sent. The session keeps the originals.",
    payload: Type.Object({
      messages: about(S.messages, "The conversation as the model is about to get it."),
    }),
    result: Type.Object({
      messages: Type.Optional(about(S.messages, "Sent instead of the messages of the event.")),
    }),
    mutable: ["messages"],
    apply: (event, result) => {
      const { messages } = result as { messages?: unknown };
      return { event: messages === undefined ? event : { ...event, messages } };
    },
  }),
  context_with_system: declare("context_with_system", {
    group: "message",
    kind: "transform",
    doc: "The same as `context`, after it, with the system prompt as the first message.",
    payload: Type.Object({
      messages: about(S.messages, "The conversation with its system message."),
    }),
    result: Type.Object({
      messages: Type.Optional(about(S.messages, "Sent instead of the messages of the event.")),
    }),
    mutable: ["messages"],
    apply: (event, result) => {
      const { messages } = result as { messages?: unknown };
      return { event: messages === undefined ? event : { ...event, messages } };
    },
  }),
  message_start: declare("message_start", {
    group: "message",
    kind: "observe",
    doc: "A message begins: from the user, the assistant or a tool.",
    payload: Type.Object({ message: about(S.message, "The message as far as it is known.") }),
  }),
  message_update: declare("message_update", {
    group: "message",
    kind: "observe",
    doc: "A piece of the assistant's answer arrived.",
    payload: Type.Object({
      message: about(S.message, "The answer so far."),
      assistantMessageEvent: about(S.stream, "The piece that arrived."),
    }),
  }),
  message_end: declare("message_end", {
    group: "message",
    kind: "transform",
    doc: "A message is complete and not yet stored: replace it with one of the same role.",
    payload: Type.Object({ message: about(S.message, "The whole message.") }),
    result: Type.Object({
      message: Type.Optional(
        about(
          S.message,
          "Stored and sent instead. It has the same role and answers the same call.",
        ),
      ),
    }),
    mutable: ["message"],
    vet: (before, after) => replacementMismatch(before.message, after.message),
    apply: (event, result) => {
      const { message } = result as { message?: unknown };
      return { event: message === undefined ? event : { ...event, message } };
    },
  }),
};
