import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { SeamError, usageError } from "../../errors/index.ts";
import type { CrewTalk, Speaker } from "../runs/crew-talk.ts";

const id = Type.String({ minLength: 1, maxLength: 500 });
const text = Type.String({ minLength: 1, maxLength: 100_000 });

/** Something that is said in a crew: by the agent of an attempt, or by a person to a run. */
const TalkSchema = Type.Intersect([
  Type.Object({ attempt: Type.Optional(id), run: Type.Optional(id) }),
  Type.Union([
    Type.Object({ say: Type.Literal("send"), to: id, text, replyTo: Type.Optional(id) }),
    Type.Object({ say: Type.Literal("messages"), member: Type.Optional(id) }),
    Type.Object({ say: Type.Literal("ask"), text }),
    Type.Object({ say: Type.Literal("status") }),
    Type.Object({ say: Type.Literal("result"), value: Type.Unknown() }),
  ]),
]);
export type TalkRequest = Static<typeof TalkSchema>;

/** What the one who spoke is told, as text and as data. */
export interface TalkAnswer {
  readonly text: string;
  readonly data: unknown;
}

export function talkIn(body: unknown): TalkRequest {
  if (Value.Check(TalkSchema, body)) return body;
  throw usageError(
    "This cannot be understood by a crew.",
    "If Seam was updated while it ran, end the daemon of before: seam daemon stop",
  );
}

const WAITS =
  "Your question is with a person now. If you cannot go on without the answer, end your turn and say what you wait for: you are called again with the answer. Else go on; the answer reaches you while you work.";

/** Does what was said, and tells the speaker what came of it. */
export async function talk(crew: CrewTalk, request: TalkRequest): Promise<TalkAnswer> {
  const speaker = speakerOf(request);
  if (request.say === "send") {
    const sent = await crew.send(speaker, request);
    const names = sent.map(({ to }) => to).join(", ");
    return { text: names === "" ? "Nobody is there to hear it." : `Sent to ${names}.`, data: sent };
  }
  if (request.say === "messages") {
    const all = await crew.messages(speaker, request.member);
    const lines = all.map(({ id: name, from, to, text: said, deliveredAt }) => {
      return `${name} ${from} to ${to}${deliveredAt === undefined ? " (unread)" : ""}: ${said}`;
    });
    return { text: lines.join("\n") || "Nobody has said anything.", data: all };
  }
  if (request.say === "ask") {
    const question = await crew.ask(speaker, request.text);
    const answered = question.answer === undefined ? WAITS : `The answer: ${question.answer}`;
    return { text: answered, data: question };
  }
  if (request.say === "result") {
    const problem = await crew.result(speaker, request.value);
    if (problem === undefined) return { text: "Your result is kept.", data: { kept: true } };
    throw new SeamError("SEAM_CREW_RESULT", { detail: problem });
  }
  const { run, tasks, own } = await crew.status(speaker);
  const lines = tasks.map(({ id: task, title, state, reason }) => {
    const why = reason === undefined ? "" : ` (${reason})`;
    return `${task}${task === own ? " (you)" : ""}: ${state}${why}: ${title}`;
  });
  return { text: [`Goal: ${run.goal}`, ...lines].join("\n"), data: { run, tasks, own } };
}

function speakerOf({ attempt, run }: TalkRequest): Speaker {
  if (attempt !== undefined) return { attempt };
  if (run !== undefined) return { run };
  throw new SeamError("SEAM_CREW_NOT_MEMBER");
}
