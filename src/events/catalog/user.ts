import { Type } from "typebox";
import { declare } from "../declaration.ts";
import { S } from "../schemas.ts";

export interface BashOutcome {
  output: string;
  exitCode?: number;
  cancelled: boolean;
  truncated: boolean;
  fullOutputPath?: string;
}

const Outcome = Type.Unsafe<BashOutcome>({
  ...Type.Object({ output: Type.String() }),
  title: "{ output, exitCode, cancelled, truncated }",
});

type InputResult =
  | { action: "continue" }
  | { action: "transform"; text?: string; images?: unknown[] }
  | { action: "handled" };

export const userEvents = {
  input: declare("input", {
    group: "user",
    kind: "transform",
    doc: "The user entered something: pass it on, change it, or handle it without the model.",
    payload: Type.Object({
      text: Type.String(),
      images: Type.Optional(S.images),
      source: S.oneOf("interactive", "rpc", "extension"),
    }),
    result: Type.Union([
      Type.Object({ action: Type.Literal("continue") }),
      Type.Object({
        action: Type.Literal("transform"),
        text: Type.String(),
        images: Type.Optional(S.images),
      }),
      Type.Object({ action: Type.Literal("transform"), images: S.images }),
      Type.Object({ action: Type.Literal("handled") }),
    ]),
    // oh-my-pi says { handled }, { text, images } where Pi says { action }.
    dialect: (result) => {
      if (typeof result !== "object" || result === null || "action" in result) return result;
      const { handled, text, images } = result as {
        handled?: boolean;
        text?: string;
        images?: unknown[];
      };
      if (handled) return { action: "handled" };
      if (text === undefined && images === undefined) return { action: "continue" };
      return {
        action: "transform",
        ...(text !== undefined && { text }),
        ...(images && { images }),
      };
    },
    apply: (event, result) => {
      const input = result as InputResult;
      if (input.action === "handled") return { event: { ...event, handled: true }, done: true };
      if (input.action === "continue") return { event };
      const { text, images } = input;
      return {
        event: { ...event, ...(text !== undefined && { text }), ...(images && { images }) },
      };
    },
  }),
  user_bash: declare("user_bash", {
    group: "user",
    kind: "claim",
    doc: "The user ran a command with !: run it elsewhere, or answer it.",
    payload: Type.Object({
      command: Type.String(),
      excludeFromContext: Type.Boolean({
        description: "Entered with !!: the model does not see it.",
      }),
      cwd: Type.String(),
    }),
    result: Type.Object({
      operations: Type.Optional(
        Type.Unsafe<{ exec: (...args: never[]) => Promise<{ exitCode: number | null }> }>({
          title: "{ exec }",
        }),
      ),
      result: Type.Optional(Outcome),
    }),
  }),
};
