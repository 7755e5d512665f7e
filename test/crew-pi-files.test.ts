import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Place, place } from "./cli/seam.ts";
import { inFull, sampled } from "./setup/sample.ts";

/** Files in every form that pi-crew's have, with the keys that it writes itself. */
const FILES = {
  "agents/db-migrator.md": `---
name: db-migrator
description: Writes reversible SQL migrations
model: false
thinking: medium
tools: read, grep, bash, edit, write
inheritProjectContext: true
maxTurns: 12
triggers: migration, schema
cost: cheap
---
Write one up and one down script. Never touch data in the same change.
`,
  "teams/db.team.md": `---
name: db-team
description: Schema work
defaultWorkflow: db-change
workspaceMode: worktree
maxConcurrency: 2
---
- scout: agent=explorer find affected queries
- writer: agent=db-migrator write migration
- checker: agent=verifier maxConcurrency=1 prove it
`,
  "workflows/db-change.workflow.md": `---
name: db-change
description: scout then migrate then prove
---
## scout
role: scout

List every query touched by: {goal}

## migrate
role: writer
dependsOn: scout
output: migration.sql

Write the migration for: {goal}

## prove
role: checker
dependsOn: migrate
verify: true

Run it up and down on a scratch database.
`,
  "workflows/db-notes.workflow.md": `---
name: db-notes
description: two look at once, one writes it down
maxConcurrency: 2
topology: dag
---
## tables
role: explorer
parallelGroup: look
progress: true
output: false

Which tables are there? {goal}

## queries
role: explorer
parallelGroup: look
reads: README.md

Which queries are there? {goal}

## write
role: db-migrator
dependsOn: look
worktree: true
output: notes.md

Write down what was found about: {goal}
`,
  "workflows/db-plan.workflow.md": `---
name: db-plan
description: plan, then do what was planned
---
## plan
role: planner
output: adaptive-plan.json

Plan: {goal}

## check
role: verifier
dependsOn: plan

Check what was done.
`,
};

const write = (path: string, content: string) => ({ name: "write", arguments: { path, content } });
const PLAN = {
  phases: [
    { name: "first", tasks: [{ role: "db-migrator", title: "up", task: "Write up.sql." }] },
    { name: "then", tasks: [{ role: "db-migrator", title: "down", task: "Write down.sql." }] },
  ],
};

/** One model for all tasks: what it does follows from what it is told. */
const TURNS = [
  { when: "Plan: ", text: JSON.stringify(PLAN) },
  { when: "Write the migration", toolCalls: [write("migration.sql", "CREATE TABLE a ();\n")] },
  { when: "Write down what was found", toolCalls: [write("notes.md", "# Tables\n")] },
  { when: "Write up.sql", toolCalls: [write("up.sql", "up\n")] },
  { when: "Write down.sql", toolCalls: [write("down.sql", "down\n")] },
  { text: "Looked and done." },
];

function made(under: (name: string) => string): Place {
  const files = Object.entries(FILES).map(([name, text]) => [under(name), text]);
  const here = place({ "README.md": "# Tables\n", ...Object.fromEntries(files) });
  onTestFinished(async () => {
    await here.seam("daemon", "stop");
  });
  writeFileSync(join(here.home, "turns.json"), JSON.stringify(TURNS));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: here.project });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "A");
  git("config", "user.email", "a@localhost");
  git("add", "--all");
  git("commit", "--quiet", "--message", "Start");
  return here;
}

async function run(here: Place, name: string): Promise<{ states: object; files: string[] }> {
  const agent = `seam:scripted:${join(here.home, "turns.json")}`;
  const said = await here.seam(
    "crew",
    "run",
    name,
    "customers",
    "--agent",
    agent,
    "--agree",
    "--detach",
    "--json",
  );
  expect(said.stderr).toBe("");
  const { id, target } = said.json<{ run: { id: string; target: string } }>().run;
  const show = async () => (await here.seam("crew", "show", id, "--json")).json<Report>();
  let report = await show();
  for (
    const answered = new Set<string>();
    report.run.endedAt === undefined;
    report = await show()
  ) {
    for (const { id: question, answer } of report.questions) {
      if (answer !== undefined || answered.has(question)) continue;
      answered.add(question);
      await here.seam("crew", "answer", question, "yes");
    }
  }
  const states = Object.fromEntries(report.tasks.map(({ id: task, state }) => [task, state]));
  const list = ["ls-tree", "-r", "--name-only", target];
  const all = execFileSync("git", list, { cwd: here.project, encoding: "utf8" }).trim().split("\n");
  return { states, files: all.filter((file) => /\.(sql|md)$/.test(file) && !file.includes("/")) };
}

interface Report {
  readonly run: { readonly endedAt?: string };
  readonly tasks: readonly { readonly id: string; readonly state: string }[];
  readonly questions: readonly { readonly id: string; readonly answer?: string }[];
}

const PLACES: readonly [string, (name: string) => string][] = [
  ["a project's .crew", (name: string) => `.crew/${name}`],
  ["a project's .pi/teams", (name: string) => `.pi/teams/${name}`],
];
describe.each(sampled(PLACES, "a project's .pi/teams"))(
  "files of pi-crew in %s run to their end",
  (_, under) => {
    it("by the name of a team", async () => {
      expect(await run(made(under), "db-team")).toEqual({
        states: { scout: "done", migrate: "done", prove: "done" },
        files: ["README.md", "migration.sql"],
      });
    });
  },
);

describe("files of pi-crew", () => {
  const under = (name: string) => `.crew/${name}`;

  inFull("with a group that others wait for run to their end", async () => {
    expect(await run(made(under), "db-notes")).toEqual({
      states: { tables: "done", queries: "done", write: "done" },
      files: ["README.md", "notes.md"],
    });
  });

  inFull("with a plan in phases run to their end", async () => {
    const { states, files } = await run(made(under), "db-plan");
    expect(Object.values(states)).toEqual(["done", "done", "done", "done"]);
    expect(files).toEqual(["README.md", "down.sql", "up.sql"]);
  });

  inFull(
    "in the user's own folder of Pi, with a step that names a model, are done by Pi",
    async () => {
      const here = made((name) => `docs/${name}`);
      for (const [name, text] of Object.entries(FILES)) {
        const path = join(here.home, ".pi/agent", name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(
          path,
          text.replace("output: migration.sql", "output: migration.sql\nmodel: some/model"),
        );
      }
      const pi = join(here.home, "bin-of-test/pi");
      mkdirSync(dirname(pi), { recursive: true });
      const end = {
        role: "assistant",
        stopReason: "stop",
        content: [{ type: "text", text: "Done." }],
      };
      const says = [
        { type: "session", id: "s1" },
        { type: "turn_end", message: end },
      ];
      const lines = says.map((line) => `echo '${JSON.stringify(line)}'`);
      writeFileSync(pi, ["#!/bin/sh", "echo by-pi > migration.sql", ...lines, ""].join("\n"));
      chmodSync(pi, 0o755);
      const before = process.env.PATH;
      process.env.PATH = `${dirname(pi)}:${before}`;
      onTestFinished(() => {
        process.env.PATH = before;
      });
      expect(await run(here, "db-change")).toEqual({
        states: { scout: "done", migrate: "done", prove: "done" },
        files: ["README.md", "migration.sql"],
      });
      const shown = await here.seam("crew", "show", "last", "--json");
      const { attempts } = shown.json<{ attempts: { task: string; agent: string }[] }>();
      expect(attempts.find(({ task }) => task === "migrate")?.agent).toBe("pi");
    },
  );
});
