import { SeamError } from "../../errors/index.ts";
import { readText, replaceFile } from "../../files/index.ts";
import { heardBy, leaveMessage, leftFor } from "../messages/mailbox.ts";
import { ALL, type CrewMessage, USER } from "../messages/message.ts";
import { MessageStore } from "../messages/message-store.ts";
import { attemptId } from "../model/attempt-id.ts";
import type { CrewQuestion } from "../model/crew-question.ts";
import type { Attempt, Run, Task } from "../model/run.ts";
import { attemptFiles, checkResult } from "../workers/index.ts";
import { type CrewContext, happened, unknownRun, unknownTask } from "./crew-context.ts";
import { refusedMessage } from "./crew-hooks.ts";
import { isOver } from "./crew-store.ts";

/** Who speaks: an agent, known by its attempt, or somebody at a terminal. */
export type Speaker = { readonly attempt: string } | { readonly run: string };

/** What members of a crew say to each other, and what they ask people. */
export class CrewTalk {
  readonly #crew: CrewContext;
  readonly #messages: MessageStore;

  constructor(crew: CrewContext) {
    this.#crew = crew;
    this.#messages = new MessageStore(crew.store.database);
  }

  /** Keeps a message, then leaves it for those who work. Everybody else hears it when they begin. */
  async send(
    speaker: Speaker,
    {
      to,
      text,
      replyTo,
    }: { readonly to: string; readonly text: string; readonly replyTo?: string },
  ): Promise<CrewMessage[]> {
    const { run, from } = await this.#who(speaker);
    const recipients = await this.#recipients(run, from, to);
    const refused = await refusedMessage(this.#crew, { run, from, to, text });
    if (refused !== undefined) {
      const about = from === USER ? {} : { task: from };
      const told = `${from} to ${to}, not delivered (${refused}): ${text}`;
      await happened(this.#crew, { run, ...about, kind: "message", text: told });
      throw new SeamError("SEAM_CREW_MESSAGE_REFUSED", { reason: refused });
    }
    const message = { run, from, text, ...(replyTo !== undefined && { replyTo }) };
    const sent = await this.#messages.send(message, recipients);
    const open = await this.#crew.store.openAttempts();
    for (const one of sent) {
      const attempt = open.find(({ run: of, task }) => of === run && task === one.to);
      if (attempt) leaveMessage(attempt.folder, one);
    }
    const task = from === USER ? {} : { task: from };
    await happened(this.#crew, {
      run,
      ...task,
      kind: "message",
      text: `${from} to ${to}: ${text}`,
    });
    return sent;
  }

  /** What was said, and what of it nobody heard yet. */
  async messages(speaker: Speaker, member?: string): Promise<CrewMessage[]> {
    const { run, from } = await this.#who(speaker);
    await this.#settle(run);
    return this.#messages.of(run, member ?? (from === USER ? undefined : from));
  }

  /** Puts a question to a person. The agent is told to end its turn if it cannot go on without. */
  async ask(speaker: Speaker, question: string): Promise<CrewQuestion> {
    const attempt = await this.#attempt(speaker);
    const { run, task, number } = attempt;
    const kept = (await this.#crew.store.questions(run)).filter(({ id }) =>
      id.startsWith(askPrefix(attempt)),
    );
    const [before] = kept.filter(({ message }) => message === question);
    if (before) return before;
    const asked: CrewQuestion = {
      id: `${askPrefix(attempt)}${kept.length + 1}`,
      run,
      task,
      kind: "ask",
      title: `The task "${task}" asks`,
      message: question,
      askedAt: new Date().toISOString(),
    };
    const owner = await this.#crew.store.run(run);
    const stored = await this.#crew.store.insertQuestion(asked, owner?.origin ?? this.#crew.worker);
    this.#crew.outside.asked(stored);
    await this.#crew.store.database.announce();
    await happened(this.#crew, { run, task, attempt: number, kind: "question", text: question });
    return stored;
  }

  /** Brings the answer to a question to the agent that asked it, if that still works. */
  async answered({ run, task, kind, id, message, answer = "" }: CrewQuestion): Promise<void> {
    if (kind !== "ask" || task === undefined) return;
    const attempt = (await this.#crew.store.openAttempts()).find((one) =>
      id.startsWith(askPrefix(one)),
    );
    const text = `You asked: ${message}\nThe answer: ${answer}`;
    const [sent] = await this.#messages.send({ run, from: USER, text }, [task]);
    if (sent && attempt) leaveMessage(attempt.folder, sent);
  }

  /** Takes the typed result of an attempt. Undefined if it is good, else what is wrong with it. */
  async result(speaker: Speaker, value: unknown): Promise<string | undefined> {
    const { folder } = await this.#attempt(speaker);
    const files = attemptFiles(folder);
    const schema: unknown = JSON.parse(readText(files.schema) ?? "null");
    const checked =
      typeof schema === "object" && schema !== null ? checkResult(value, schema) : { value };
    if ("problem" in checked) return checked.problem;
    replaceFile(files.result, `${JSON.stringify({ value })}\n`);
    return undefined;
  }

  /** The tasks of the speaker's run, and which of them is the speaker's. */
  async status(speaker: Speaker): Promise<{ run: Run; tasks: readonly Task[]; own: string }> {
    const { run: id, from } = await this.#who(speaker);
    const run = await this.#crew.store.run(id);
    if (!run) throw unknownRun(id);
    return { run, tasks: await this.#crew.store.tasks(id), own: from };
  }

  /** What a task has to hear before it begins, as text for its prompt; then it counts as heard. */
  async take(run: string, task: string): Promise<readonly CrewMessage[]> {
    await this.#settle(run);
    return this.#messages.unread(run, task);
  }

  delivered(messages: readonly CrewMessage[]): Promise<void> {
    return this.#messages.delivered(messages.map(({ id }) => id));
  }

  /** A question of an attempt that is over: one that nobody answered, or whose answer it did not hear. */
  async openQuestion(attempt: Attempt): Promise<CrewQuestion | undefined> {
    const all = await this.#crew.store.questions(attempt.run);
    const own = all.filter(({ id }) => id.startsWith(askPrefix(attempt)));
    const isUnheard = leftFor(attempt.folder).length > 0;
    return own.find(({ answer }) => answer === undefined) ?? (isUnheard ? own.at(-1) : undefined);
  }

  /** Notes which messages the attempts of a run have heard. */
  async #settle(run: string): Promise<void> {
    const attempts = await this.#crew.store.attempts(run);
    await this.#messages.delivered(attempts.flatMap(({ folder }) => heardBy(folder)));
  }

  async #who(speaker: Speaker): Promise<{ run: string; from: string }> {
    if ("run" in speaker) {
      const runs = await this.#crew.store.runs();
      const run =
        speaker.run === "last" ? runs[0] : runs.find(({ id }) => id.startsWith(speaker.run));
      if (!run) throw unknownRun(speaker.run);
      return { run: run.id, from: USER };
    }
    const { run, task } = await this.#attempt(speaker);
    return { run, from: task };
  }

  async #attempt(speaker: Speaker): Promise<Attempt> {
    const id = "attempt" in speaker ? speaker.attempt.replace(/\.repair$/, "") : speaker.run;
    const open = await this.#crew.store.openAttempts();
    const found = open.find((attempt) => attemptId(attempt) === id);
    if (!found) throw new SeamError("SEAM_CREW_ATTEMPT_OVER", { attempt: id });
    return found;
  }

  async #recipients(run: string, from: string, to: string): Promise<string[]> {
    if (to === USER) return [USER];
    const tasks = await this.#crew.store.tasks(run);
    if (to === ALL) {
      return tasks.filter((task) => !isOver(task) && task.id !== from).map(({ id }) => id);
    }
    const task = tasks.find(({ id }) => id === to);
    if (!task) throw unknownTask(run, to);
    if (isOver(task)) throw new SeamError("SEAM_CREW_TASK_OVER", { task: to, state: task.state });
    return [to];
  }
}

const askPrefix = (attempt: Pick<Attempt, "run" | "task" | "number">) =>
  `${attemptId(attempt)}.ask.`;
