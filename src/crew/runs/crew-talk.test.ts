import { expect, it } from "vitest";
import { inFull } from "../../../test/setup/sample.ts";
import { git } from "../../git/index.ts";
import { attemptId } from "../model/attempt-id.ts";
import type { Attempt } from "../model/run.ts";
import type { Crew } from "./crew.ts";
import { makeScratch, taskOf, workflowOf, writes } from "./test-kit/scratch-crew.ts";

const bash = (command: string) => ({ name: "bash", arguments: { command } });
const write = (path: string, content: string) => ({ name: "write", arguments: { path, content } });

/** The attempt of a task, once its agent works. */
async function working(crew: Crew, run: string, task: string): Promise<Attempt> {
  for (;;) {
    const { attempts } = await crew.show(run);
    const found = attempts.find(
      (one) => one.task === task && one.session !== undefined && !one.end,
    );
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

it("what is said to a task is heard while it works, or when it begins; what is said to one that ended is refused", async () => {
  const scratch = await makeScratch();
  const talked = [
    {
      toolCalls: [bash('for i in 1 2 3 4 5 6 7 8 9 10; do ls "$HOME" >/dev/null; sleep 0.3; done')],
    },
    { when: "mind the gap", toolCalls: [write("one.txt", "1\n")] },
    { text: "Done." },
  ];
  const workflow = workflowOf([
    taskOf("one", scratch.script("one", talked)),
    taskOf(
      "two",
      scratch.script("two", [
        { when: "of your crew says: hello", toolCalls: [write("two.txt", "2\n")] },
        { text: "Done." },
      ]),
      { dependsOn: ["one"] },
    ),
  ]);
  const { crew, ended, events } = await scratch.open();
  const run = await crew.start({ workflow, goal: "Talk.", ...scratch.place });
  const attempt = attemptId(await working(crew, run.id, "one"));
  await crew.talk.send({ run: run.id }, { to: "one", text: "mind the gap" });
  const [hello] = await crew.talk.send({ attempt }, { to: "all", text: "hello" });
  expect(hello).toMatchObject({ from: "one", to: "two" });
  expect(await crew.talk.take(run.id, "two")).toHaveLength(1);
  expect(await ended(run.id)).toBe("done");
  const said = await crew.talk.messages({ run: run.id });
  expect(said.map(({ from, to, deliveredAt }) => [from, to, deliveredAt !== undefined])).toEqual([
    ["user", "one", true],
    ["one", "two", true],
  ]);
  expect(events.filter(({ kind }) => kind === "message")).toHaveLength(2);
  const late = crew.talk.send({ run: run.id }, { to: "one", text: "too late" });
  await expect(late).rejects.toMatchObject({ code: "SEAM_CREW_TASK_OVER" });
  await expect(crew.talk.status({ attempt })).rejects.toMatchObject({
    code: "SEAM_CREW_ATTEMPT_OVER",
  });
  await crew.close();
});

it("a task that asks a person waits, and its session goes on with the answer", async () => {
  const scratch = await makeScratch();
  const asker = scratch.script("asker", [
    { when: "Do asker", toolCalls: [bash("sleep 2")] },
    { when: "The answer: blue", toolCalls: [write("colour.txt", "blue\n")] },
    { text: "I wait for the colour." },
    { text: "Done." },
  ]);
  const workflow = workflowOf([taskOf("asker", asker)]);
  const { crew, ended, asked } = await scratch.open();
  const run = await crew.start({ workflow, goal: "Paint.", ...scratch.place });
  const attempt = attemptId(await working(crew, run.id, "asker"));
  const question = await crew.talk.ask({ attempt }, "Which colour?");
  expect(asked).toMatchObject([{ kind: "ask", message: "Which colour?" }]);
  for (;;) {
    const [task] = (await crew.show(run.id)).tasks;
    if (task?.state === "waiting") break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await crew.answer(question.id, "blue");
  expect(await ended(run.id)).toBe("done");
  const { attempts } = await crew.show(run.id);
  expect(attempts.map(({ resumes }) => resumes)).toEqual([undefined, attempts[0]?.session]);
  const kept = await git(["show", `${run.target}:colour.txt`], { cwd: scratch.repository });
  expect(kept.toString()).toBe("blue\n");
  await crew.close();
});

inFull("a typed result is checked when it is handed over", async () => {
  const scratch = await makeScratch();
  const schema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
  const script = scratch.script("typed", [
    ...[{ toolCalls: [bash("sleep 2")] }],
    ...writes("a", "b\n"),
  ]);
  const workflow = workflowOf([taskOf("typed", script, { result: schema })]);
  const { crew, ended } = await scratch.open();
  const run = await crew.start({ workflow, goal: "Say.", ...scratch.place });
  const attempt = attemptId(await working(crew, run.id, "typed"));
  expect(await crew.talk.result({ attempt }, { ok: "yes" })).toContain("ok");
  expect(await crew.talk.result({ attempt }, { ok: true })).toBeUndefined();
  expect(await ended(run.id)).toBe("done");
  expect((await crew.show(run.id)).tasks[0]?.result).toEqual({ ok: true });
  await crew.close();
});

it("an extension can keep a message from being delivered, and the sender is told why", async () => {
  const scratch = await makeScratch();
  const { crew, asked, events } = await scratch.open({
    refuse: (event) =>
      event.type === "crew_message" && event.text.includes("password")
        ? { reason: "No secrets between tasks." }
        : undefined,
  });
  const workflow = workflowOf([taskOf("one", "scripted:none", { approve: true })]);
  const { id: run } = await crew.start({ workflow, goal: "Talk.", ...scratch.place });
  while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const say = (text: string) => crew.talk.send({ run }, { to: "one", text });
  await expect(say("The password is x.")).rejects.toMatchObject({
    code: "SEAM_CREW_MESSAGE_REFUSED",
    details: { reason: "No secrets between tasks." },
  });
  await say("Good morning.");
  const told = (await crew.talk.messages({ run })).map(({ text }) => text);
  expect(told).toEqual(["Good morning."]);
  expect(events.some(({ text }) => text.includes("not delivered (No secrets"))).toBe(true);
  await crew.cancel(run);
  await crew.close();
});
