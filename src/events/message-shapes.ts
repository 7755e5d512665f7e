import { type TSchema, Type } from "typebox";
import { mismatch } from "./mismatch.ts";
import { S } from "./schemas.ts";

const said = Type.Union([Type.String(), S.content]);

/** What everyone who reads a message of this role relies on. */
const SHAPES: Readonly<Record<string, TSchema>> = {
  user: Type.Object({ content: said }),
  custom: Type.Object({ customType: Type.String(), content: said }),
  assistant: Type.Object({
    content: Type.Array(
      Type.Union([
        Type.Object({ type: Type.Literal("text"), text: Type.String() }),
        Type.Object({ type: Type.Literal("thinking"), thinking: Type.String() }),
        Type.Object({
          type: Type.Literal("toolCall"),
          id: Type.String(),
          name: Type.String(),
          arguments: S.record,
        }),
      ]),
    ),
    stopReason: S.oneOf("stop", "length", "toolUse", "error", "aborted"),
    usage: Type.Object({
      input: Type.Number(),
      output: Type.Number(),
      cacheRead: Type.Number(),
      cacheWrite: Type.Number(),
      totalTokens: Type.Number(),
    }),
  }),
  toolResult: Type.Object({
    toolCallId: Type.String(),
    toolName: Type.String(),
    content: S.content,
    isError: Type.Boolean(),
  }),
};

type Shaped = { readonly role?: unknown; readonly toolCallId?: unknown };

/** What is wrong with a message that is to take the place of another one. */
export function replacementMismatch(before: unknown, after: unknown): string | undefined {
  const [was, is] = [before, after] as [Shaped, Shaped];
  if (was.role !== is.role) return `the message has role "${is.role}", it must be "${was.role}"`;
  if (was.toolCallId !== is.toolCallId) return "the message has the id of another tool call";
  const shape = SHAPES[String(was.role)];
  // One that was not as it should be before is not the handler's fault.
  if (!shape || mismatch(shape, was) !== undefined) return undefined;
  return mismatch(shape, is);
}
