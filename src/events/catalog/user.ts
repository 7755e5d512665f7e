import { Type } from "typebox";
import { declare } from "../declaration.ts";
import { about, S } from "../schemas.ts";

/** What a command came to that an extension ran in the place of Seam. */
export interface BashOutcome {
  /** What it printed. */
  output: string;
  /** Absent if it was killed. */
  exitCode?: number;
  cancelled: boolean;
  /** `output` is not all that was printed. */
  truncated: boolean;
  /** The file with all that was printed. */
  fullOutputPath?: string;
}

/** Runs the user's command in the place of Seam, such as on another machine. */
export interface UserBashOperations {
  /** Called as the `exec` of the operations that `createBashTool` takes. */
  exec: (...args: never[]) => Promise<{ exitCode: number | null }>;
}

const Outcome = Type.Unsafe<BashOutcome>({
  ...Type.Object({ output: Type.String() }),
  title: "BashOutcome",
});

type InputResult =
  | { action: "continue" }
  | { action: "transform"; text?: string; images?: unknown[] }
  | { action: "handled" };

const prompted = {
  reason: about(S.oneOf("ui_prompt"), "Why the agent waits."),
  kind: about(S.oneOf("select", "confirm", "input", "editor", "custom"), "What is shown."),
  title: Type.Optional(Type.String({ description: "What is asked." })),
};

export const userEvents = {
  input: declare("input", {
    group: "user",
    kind: "transform",
    doc: "The user entered something: pass it on, change it, or handle it without the model.",
    payload: Type.Object({
      text: Type.String({ description: "What was entered." }),
      images: Type.Optional(about(S.images, "The images that came with it.")),
      source: about(
        S.oneOf("interactive", "rpc", "extension"),
        "It was typed, sent by the program that runs Seam, or sent by an extension.",
      ),
      streamingBehavior: Type.Optional(
        about(
          S.oneOf("steer", "followUp"),
          "The agent works: it is brought up before its next step, or when it would stop.",
        ),
      ),
    }),
    result: Type.Union([
      Type.Object(
        { action: Type.Literal("continue") },
        { description: "Goes on as it was entered." },
      ),
      Type.Object(
        {
          action: Type.Literal("transform"),
          text: Type.String(),
          images: Type.Optional(S.images),
        },
        { description: "Goes on with this text, and these images if there are any." },
      ),
      Type.Object(
        { action: Type.Literal("transform"), images: S.images },
        { description: "Goes on with the text that was entered and these images." },
      ),
      Type.Object(
        { action: Type.Literal("handled") },
        { description: "Goes no further: the model does not see it." },
      ),
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
  ui_prompt_start: declare("ui_prompt_start", {
    group: "user",
    kind: "observe",
    doc: "A person is asked something, so the agent waits.",
    payload: Type.Object(prompted),
  }),
  ui_prompt_end: declare("ui_prompt_end", {
    group: "user",
    kind: "observe",
    doc: "What a person was asked is answered or withdrawn.",
    payload: Type.Object(prompted),
  }),
  user_bash: declare("user_bash", {
    group: "user",
    kind: "claim",
    doc: "The user ran a command with !: run it elsewhere, or answer it.",
    payload: Type.Object({
      command: Type.String({ description: "What the user wants to run." }),
      excludeFromContext: Type.Boolean({
        description: "Entered with !!: the model does not see it.",
      }),
      cwd: Type.String({ description: "The folder it would run in." }),
    }),
    result: Type.Object({
      operations: Type.Optional(
        Type.Unsafe<UserBashOperations>({
          title: "UserBashOperations",
          description: "Runs the command instead of Seam.",
        }),
      ),
      result: Type.Optional(
        about(Outcome, "What the command came to: the extension ran it already."),
      ),
    }),
  }),
};
