import { type Static, Type } from "typebox";

/** How a person answers: Pi's dialogs. */
export const MethodSchema = Type.Union([
  Type.Literal("select"),
  Type.Literal("confirm"),
  Type.Literal("input"),
  Type.Literal("editor"),
]);
export type DialogMethod = Static<typeof MethodSchema>;

/** A tool call that a question is about. */
export interface QuestionedCall {
  /** Normalised: bash, edit, write … */
  readonly tool: string;
  /** The whole of it, in Seam's field names. */
  readonly input: Readonly<Record<string, unknown>>;
  /** What an edit would change, as a unified diff, where that can be told. */
  readonly diff?: string;
}

/** Something that waits for a person. Kept on disk before anybody sees it. */
export interface Question {
  /** Short, and the same after the daemon was killed and the handler asked again. */
  readonly id: string;
  /** Registry name of the agent. */
  readonly agent: string;
  readonly session: string;
  /** The run of a crew that asks, which is no session; absent: an agent's session does. */
  readonly run?: string;
  readonly cwd: string;
  /** When it was asked; ISO. */
  readonly at: string;
  readonly method: DialogMethod;
  readonly title: string;
  readonly message?: string;
  /** What can be chosen: the options of a selection, `yes` and `no` of a confirmation. */
  readonly choices?: readonly string[];
  /** What the field of an input shows while it is empty. */
  readonly placeholder?: string;
  /** What the field of an editor begins with. */
  readonly prefill?: string;
  /** The extension that asks, or `seam`. */
  readonly by: string;
  readonly call?: QuestionedCall;
  /** When it is too late to answer; ISO. Absent: it waits for as long as the agent does. */
  readonly deadline?: string;
  /** What happens if nobody answers in time, in words. */
  readonly otherwise: string;
  /** Somebody said "not now": the agent waits on, and is told to try again later if nobody answers. */
  readonly isHeld?: true;
  /** What an answer can be remembered for, in this project. */
  readonly rememberable?: readonly RememberedFor[];
}

/** What a remembered answer holds for: this very command, this path, or every call of the tool. */
export type RememberedFor = "command" | "path" | "tool";

/** What a person says to a question. */
export const AnswerSchema = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 200 }),
    /** A choice or a text. For a confirmation: `yes` or `no`. */
    value: Type.Optional(Type.String({ maxLength: 1_000_000 })),
    /** `cancel`: as if the dialog had been closed. `hold`: not now. */
    act: Type.Optional(Type.Union([Type.Literal("cancel"), Type.Literal("hold")])),
    /** From now on the same question is answered like this without asking. */
    remember: Type.Optional(
      Type.Union([Type.Literal("command"), Type.Literal("path"), Type.Literal("tool")]),
    ),
    /** Who answers, for the others: "the page", "seam inbox". */
    who: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
);

export type GivenAnswer = Static<typeof AnswerSchema>;

/** What becomes of a question. */
export type Settled =
  | { readonly value: string; readonly who: string; readonly rule?: string }
  /** The question was closed without an answer; `why` is for people. */
  | { readonly cancelled: true; readonly who?: string; readonly why: string };

/** What was answered; undefined if nobody did. */
export function answerIn(settled: Settled): string | undefined {
  return "value" in settled ? settled.value : undefined;
}

/** What an extension can show beside a session. */
export type ShownKind = "status" | "widget" | "title";

export type NoticeLevel = "info" | "warning" | "error";

/** What happens in the inbox, in order, for everybody who is attached. */
export type InboxEvent =
  | { readonly type: "asked"; readonly question: Question }
  | { readonly type: "held"; readonly id: string; readonly who: string }
  | {
      readonly type: "settled";
      readonly id: string;
      readonly question: Question;
      readonly settled: Settled;
    }
  /** What an extension shows beside its session: one line, or several. Absent text takes it away. */
  | {
      readonly type: "shown";
      readonly agent: string;
      readonly session: string;
      readonly kind: ShownKind;
      readonly key: string;
      readonly lines?: readonly string[];
    }
  | {
      readonly type: "notice";
      readonly agent: string;
      readonly session: string;
      readonly text: string;
      readonly level: NoticeLevel;
    };
