import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git } from "../../git/index.ts";
import type { ScriptedTurn } from "../../host/index.ts";
import type { TaskSpec } from "../model/workflow.ts";
import { makeScratch, taskOf, workflowOf, writes } from "./test-kit/scratch-crew.ts";

const write = (content: string) => ({ name: "write", arguments: { path: "list.txt", content } });

const BOTH = "first\nsecond\n";

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

type Scripts = Readonly<Record<string, readonly ScriptedTurn[]>>;

/** A run in which a second task writes what a first one has written and merged meanwhile. */
async function begin(scripts: Scripts, more: Partial<TaskSpec> = {}) {
  const scratch = await makeScratch();
  const go = join(scratch.root, "go");
  const models = Object.entries(scripts).map(([name, turns]) => scratch.script(name, turns));
  const agents = models.map((model) => ({ agent: "seam", model }) as const);
  const workflow = workflowOf([
    taskOf("first", scratch.script("first", writes("list.txt", "first\n"))),
    taskOf("second", "", { agents, ...more }),
  ]);
  const { crew, ended, events, asked } = await scratch.open();
  const run = await crew.start({
    workflow,
    goal: "List.",
    ...scratch.place,
    environment: { GO: go },
  });
  await until(() => events.some(({ text }) => text.startsWith("merged into")));
  writeFileSync(go, "");
  const own = async () =>
    (await crew.show(run.id)).attempts.filter(({ task }) => task === "second");
  return {
    crew,
    asked,
    own,
    ended: () => ended(run.id),
    list: async () => {
      const args = ["show", `${run.target}:list.txt`];
      return (await git(args, { cwd: scratch.repository })).toString();
    },
    /** Who tried, and whose session it went on with. */
    climbed: async () => {
      const attempts = await own();
      return attempts.map(({ model = "", resumes }) => {
        const name = Object.keys(scripts).find((one) => model.endsWith(`${one}.json`));
        const before = attempts.find(({ session }) => session === resumes);
        return resumes === undefined ? name : `${name} goes on with ${before?.number}`;
      });
    },
  };
}

const bash = (command: string) => ({ name: "bash", arguments: { command } });

/** Waits until the other task is merged, so that what comes next does not fit. */
const WAITS = bash('until [ -e "$GO" ]; do sleep 0.05; done');

const waits: ScriptedTurn = { when: "Do second", toolCalls: [WAITS] };
const looks: ScriptedTurn = { when: "[Bb]oth sides", text: "I looked at it." };

it("a conflict goes to the session that made it, then to a new one, to another model, and to a person, whose words end it", async () => {
  const { crew, asked, own, ended, list, climbed } = await begin({
    maker: [looks, waits, { toolCalls: [write("second\n")] }, { text: "Done." }],
    helper: [looks, { when: "first, then second", toolCalls: [write(BOTH)] }, { text: "Done." }],
  });
  await until(() => asked.length > 0);
  const folder = (await own())[0]?.workspace;
  const message = asked[0]?.message ?? "";
  expect(asked[0]?.kind).toBe("stuck");
  expect(message).toContain("It did not succeed after 5 tries: These files still have both sides");
  expect(message).toContain("the task first changed them too");
  expect(message).toContain(`Both sides stand in its folder, ${folder}.`);
  expect(message).not.toContain("your folder");
  await crew.answer(asked[0]?.id ?? "", "Keep both lines: first, then second.");
  expect(await ended()).toBe("done");
  expect(await climbed()).toEqual([
    "maker",
    "maker goes on with 1",
    "maker goes on with 1",
    "maker",
    "helper",
    "helper goes on with 5",
  ]);
  // Whoever comes new to it knows as much as the one who made it.
  for (const { told } of (await own()).slice(1, 5)) {
    expect(told).toContain("conflicts in list.txt (the task first changed them too)");
    expect(told).toContain("keep what both wanted");
  }
  expect(await list()).toBe(BOTH);
  await crew.close();
});

it("a person can put the files of a conflict right in the folder that the question names", async () => {
  const { crew, asked, ended, list } = await begin({
    maker: [
      looks,
      waits,
      { when: "Try again", text: "It is right already." },
      { toolCalls: [write("second\n")] },
      { text: "Done." },
    ],
  });
  await until(() => asked.length > 0);
  const [, folder = ""] = /in its folder, (.*)\. Put/.exec(asked[0]?.message ?? "") ?? [];
  writeFileSync(join(folder, "list.txt"), BOTH);
  await crew.answer(asked[0]?.id ?? "", "try again");
  expect(await ended()).toBe("done");
  expect(await list()).toBe(BOTH);
  await crew.close();
});

it("what failed before the work was good does not keep a conflict from the session that made it", async () => {
  const later = bash('if [ -e "$GO.2" ]; then echo second > list.txt; else touch "$GO.2"; fi');
  const { crew, ended, list, climbed } = await begin(
    {
      maker: [
        { ...waits, toolCalls: [WAITS, write("2\n")] },
        { when: "grep.*failed", toolCalls: [later] },
        { when: "[Bb]oth sides", toolCalls: [write(BOTH)] },
        { text: "Done." },
      ],
    },
    { verify: ["grep second list.txt"] },
  );
  expect(await ended()).toBe("done");
  expect(await climbed()).toEqual([
    "maker",
    "maker goes on with 1",
    "maker goes on with 1",
    "maker goes on with 1",
  ]);
  expect(await list()).toBe(BOTH);
  await crew.close();
});

it("a session that takes back what was brought into its folder climbs the ladder all the same", async () => {
  const { crew, asked, climbed } = await begin({
    maker: [
      { when: "[Bb]oth sides", toolCalls: [bash("git merge --abort")] },
      waits,
      { toolCalls: [write("second\n")] },
      { text: "Done." },
    ],
  });
  await until(() => asked.length > 0);
  expect(asked[0]?.message).toContain("It did not succeed after 4 tries: It does not fit");
  expect(await climbed()).toHaveLength(4);
  await crew.close();
});

it("whoever takes a conflict over from an agent that broke down at it knows as much", async () => {
  const breaks: ScriptedTurn = { when: "[Bb]oth sides", error: { message: "It broke." } };
  const { crew, own, ended, list, climbed } = await begin({
    maker: [breaks, waits, { toolCalls: [write("second\n")] }, { text: "Done." }],
    helper: [{ when: "[Bb]oth sides", toolCalls: [write(BOTH)] }, { text: "Done." }],
  });
  expect(await ended()).toBe("done");
  expect((await climbed()).at(-1)).toBe("helper");
  for (const { told } of (await own()).slice(1)) {
    expect(told).toContain("conflicts in list.txt (the task first changed them too)");
    expect(told).toContain("keep what both wanted");
  }
  expect(await list()).toBe(BOTH);
  await crew.close();
});
