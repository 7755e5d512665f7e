import type { Flow } from "../engine/engine.ts";
import type { CrewQuestion, QuestionKind } from "../model/crew-question.ts";
import type { Task } from "../model/run.ts";
import { setTaskState } from "./advance-run.ts";
import { type CrewContext, happened, questionSignal } from "./crew-context.ts";
import { CrewTalk } from "./crew-talk.ts";

interface Asked {
  readonly kind: QuestionKind;
  readonly title: string;
  readonly message: string;
}

/**
 * Asks a person and waits for as long as it takes, at no cost. The question is stored first, and so
 * is the answer: a signal only wakes. `name` is the same when the flow comes here again.
 */
export async function askPerson(
  crew: CrewContext,
  flow: Flow,
  task: Task,
  name: string,
  asked: Asked,
): Promise<string> {
  const id = `${task.run}.${task.id}.${task.retries ?? 0}.${name}`.replaceAll(" ", "-");
  await flow.step(`ask ${name}`, async () => {
    await askNow(crew, task, id, asked);
    return null;
  });
  for (let times = 1; ; times++) {
    const answer = await flow.step(`answer ${name} ${times}`, async () => {
      return (await crew.store.question(id))?.answer ?? null;
    });
    if (answer !== null) return answer;
    await flow.wait(`wait ${name} ${times}`, questionSignal(id));
  }
}

async function askNow(crew: CrewContext, task: Task, id: string, asked: Asked): Promise<void> {
  const run = await crew.store.run(task.run);
  if (!run) return;
  await setTaskState(crew, task, { state: "waiting", reason: asked.title });
  const question: CrewQuestion = {
    ...asked,
    id,
    run: task.run,
    task: task.id,
    askedAt: new Date().toISOString(),
  };
  const kept = await crew.store.insertQuestion(question, run.origin);
  if (kept.answer !== undefined) return;
  crew.outside.asked(kept);
  await crew.store.database.announce();
  await happened(crew, { run: task.run, task: task.id, kind: "question", text: asked.title });
}

/** Takes an answer. Undefined if there is no such question, or it was answered already. */
export async function answerQuestion(
  crew: CrewContext,
  id: string,
  answer: string,
): Promise<CrewQuestion | undefined> {
  const question = await crew.store.answerQuestion(id, answer);
  if (!question) return undefined;
  crew.outside.settled(question);
  await new CrewTalk(crew).answered(question);
  await crew.engine.signal(questionSignal(id));
  const { run, task, title } = question;
  const text = `${title} Answered: ${answer}`;
  await happened(crew, { run, ...(task !== undefined && { task }), kind: "question", text });
  return question;
}
