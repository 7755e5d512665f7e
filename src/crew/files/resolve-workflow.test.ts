import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { agree } from "../../settings/index.ts";
import { CrewHome, workflowText } from "./test-kit/crew-home.ts";

const OWN = ".seam/crew/workflows/w.workflow.md";
const withWorkflow = (body: string, head = "") => new CrewHome({ [OWN]: workflowText(body, head) });

describe("what ships", () => {
  it.each([
    ["fix-bug", 3],
    ["feature", 4],
    ["research", 3],
    ["review", 5],
    ["migrate", 3],
  ])("%s is without a mistake", (name, tasks) => {
    const { workflow, problems, untrusted } = new CrewHome().resolve(name);
    expect(problems).toEqual([]);
    expect(untrusted).toEqual([]);
    expect(workflow?.tasks).toHaveLength(tasks);
  });

  it("has roles that only read where they only have to look", () => {
    const roles = new CrewHome().find().agents.map(({ role }) => [role.name, role.access]);
    expect(Object.fromEntries(roles)).toEqual({
      analyst: "read",
      critic: "read",
      executor: "write",
      explorer: "read",
      planner: "read",
      reviewer: "read",
      "security-reviewer": "read",
      "test-engineer": "write",
      verifier: "read",
      writer: "write",
    });
  });
});

describe("pi-crew's files", () => {
  const files = {
    ".crew/agents/db-migrator.md": `---
name: db-migrator
description: Writes reversible SQL migrations: one up, one down
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
    ".crew/teams/db-team.team.md": `---
name: db-team
description: Schema work
defaultWorkflow: db-change
workspaceMode: worktree
maxConcurrency: 2
---

- scout: agent=explorer find affected queries
- writer: agent=db-migrator model=anthropic/claude-sonnet-4-5 write migration
- checker: agent=verifier maxConcurrency=1 prove it
`,
    ".crew/workflows/db-change.workflow.md": `---
name: db-change
description: scout then migrate then prove {goal}
topology: sequential
---

## scout
role: scout

List every query touched by: {goal}

## Notes

This heading belongs to the prompt of scout.

## migrate
role: writer
dependsOn: scout
output: migration.sql
worktree: true

Write the migration for: {goal}

## prove
role: checker
dependsOn: migrate
reads: migration.sql
skills: verification-before-done
verify: true
progress: true

Run it up and down on a scratch database.
`,
  };

  it("run as they are, by the name of the workflow and by that of the team", () => {
    const home = new CrewHome(files);
    const { workflow, problems } = home.resolve("db-change");
    expect(problems).toEqual([]);
    expect(home.resolve("db-team").workflow).toEqual(workflow);
    expect(workflow?.maxConcurrency).toBe(2);
    expect(workflow?.tasks.map(({ id, role, dependsOn }) => [id, role, dependsOn])).toEqual([
      ["scout", "scout", []],
      ["migrate", "writer", ["scout"]],
      ["prove", "checker", ["migrate"]],
    ]);
  });

  it("mean what pi-crew means by them", () => {
    const { workflow } = new CrewHome(files).resolve("db-change");
    const [scout, , prove] = workflow?.tasks ?? [];
    expect(scout?.prompt).toContain("This heading belongs to the prompt of scout.");
    expect(prove).toMatchObject({ reads: ["migrate"], verify: [], expects: "result" });
    expect(prove?.prompt).toContain("verification-before-done");
    expect(workflow?.roles.writer).toMatchObject({
      access: "write",
      description: "write migration",
      instructions: "Write one up and one down script. Never touch data in the same change.",
      agents: [{ agent: "pi", model: "anthropic/claude-sonnet-4-5" }],
    });
    expect(workflow?.roles.scout).toMatchObject({ access: "read" });
  });

  it("without a role, a step has the role of its own name, and without a text the goal", () => {
    const home = new CrewHome({ ".crew/workflows/x.workflow.md": "## explorer\n" });
    expect(home.resolve("x").workflow?.tasks).toMatchObject([
      { role: "explorer", prompt: "{goal}" },
    ]);
  });

  it("a planner of pi-crew plans, and can choose from the roles of its team", () => {
    const home = new CrewHome({
      ".crew/workflows/impl.workflow.md":
        "## assess\nrole: planner\noutput: adaptive-plan.json\n\nPlan {goal}",
      ".crew/teams/impl.team.md":
        "---\ndefaultWorkflow: impl\n---\n- planner: agent=planner\n- executor: does it",
    });
    const { workflow, problems } = home.resolve("impl");
    expect(problems).toEqual([]);
    expect(workflow?.tasks[0]).toMatchObject({ plans: true, expects: "result" });
    expect(Object.keys(workflow?.roles ?? {})).toEqual(["planner", "executor"]);
  });
});

describe("agent files of others", () => {
  it("Claude Code's are read as they are", () => {
    const home = new CrewHome({
      ".claude/agents/team/code-reviewer.md": `---
name: code-reviewer
description: Use this agent when code was written. Examples: <example>user: "done?"</example>
tools: Read, Grep, Glob, Bash
model: sonnet
color: purple
---

You review code.
`,
    });
    const [file] = home.find().agents;
    expect(file?.problems).toEqual([]);
    expect(file?.role).toMatchObject({
      name: "code-reviewer",
      access: "read",
      agents: [{ agent: "claude-code", model: "sonnet" }],
      instructions: "You review code.",
    });
  });

  it("Codex's are read as they are, and a broken one is named with its line", () => {
    const home = new CrewHome({
      ".codex/agents/mapper.toml": `name = "mapper"
description = "Maps code"
model = "gpt-5-codex"
sandbox_mode = "read-only"
developer_instructions = """
Map it.
"""
`,
      "~/.codex/agents/broken.toml": 'name = "broken"\ndescription = \n',
    });
    const { agents } = home.find();
    expect(agents.find(({ role }) => role.name === "mapper")?.role).toMatchObject({
      access: "read",
      agents: [{ agent: "codex", model: "gpt-5-codex" }],
      instructions: "Map it.",
    });
    const broken = agents.find(({ source }) => source.path.endsWith("broken.toml"));
    expect(broken?.problems).toMatchObject([{ severity: "error", line: 2 }]);
  });

  it("the user's own wins over a project's, and a project's over what ships", () => {
    const home = new CrewHome({
      ".seam/crew/agents/reviewer.md": "---\ndescription: the project's\naccess: read\n---\n",
      "~/.seam/crew/agents/critic.md": "---\ndescription: mine\naccess: read\n---\n",
      ".seam/crew/agents/critic.md": "---\ndescription: the project's\naccess: read\n---\n",
      [OWN]: workflowText("## reviewer\n\nx\n\n## critic\n\ny"),
    });
    const { workflow } = home.resolve("w");
    expect(workflow?.roles.reviewer?.description).toBe("the project's");
    expect(workflow?.roles.critic?.description).toBe("mine");
  });
});

describe("Seam's own keys", () => {
  it("are all understood", () => {
    const home = withWorkflow(
      `## plan
role: planner
agent: any of claude-code:opus, codex
plans: true
approve: yes
budget: $2, 30 minutes, 200k tokens

Plan.

## each
role: executor
dependsOn: plan
when: plan.kind == "bug"
forEach: [a.ts, b.ts]
files: {item}
sparse: src, packages/api
verify:
  - npm test
  - npm run lint
onFail: continue
reviewedBy: reviewer
stallMinutes: 5
title: Change one

Change {item}.

## check
role: reviewer
dependsOn: each
result:
  approved: boolean
  findings: string[]
  kind: good | bad
loop:
  until: check.approved
  times: 2
  backTo: each`,
      "maxConcurrency: 3\nverify: make check\napprovePlan: false\napproveMerge: true\nbudget: { dollars: 10 }\n",
    );
    const { workflow, problems } = home.resolve("w");
    expect(problems).toEqual([]);
    expect(workflow).toMatchObject({
      maxConcurrency: 3,
      verify: ["make check"],
      approvePlan: false,
      approveMerge: true,
      budget: { dollars: 10 },
    });
    const [plan, each, check] = workflow?.tasks ?? [];
    expect(plan).toMatchObject({
      agents: [{ agent: "claude-code", model: "opus" }, { agent: "codex" }],
      plans: true,
      approve: true,
      budget: { dollars: 2, minutes: 30, tokens: 200_000 },
    });
    expect(each).toMatchObject({
      title: "Change one",
      when: { task: "plan", path: "kind", is: "equals", value: "bug" },
      forEach: ["a.ts", "b.ts"],
      files: ["{item}"],
      sparse: ["src", "packages/api"],
      verify: ["npm test", "npm run lint"],
      onFail: "continue",
      reviewedBy: "reviewer",
      stallMinutes: 5,
    });
    expect(check?.loop).toEqual({
      until: { task: "check", path: "approved", is: "truthy" },
      times: 2,
      backTo: "each",
    });
    expect(check?.result).toMatchObject({
      required: ["approved", "findings", "kind"],
      properties: {
        findings: { type: "array", items: { type: "string" } },
        kind: { enum: ["good", "bad"] },
      },
    });
  });

  it("a dependency on a group is one on each of its tasks", () => {
    const { workflow } = new CrewHome().resolve("review");
    expect(workflow?.tasks.at(-1)?.dependsOn).toEqual([
      "correctness",
      "security",
      "tests",
      "simplicity",
    ]);
  });

  it("a task can narrow its role to reading, and never widen it", () => {
    const narrowed = withWorkflow("## executor\naccess: read\n\nx").resolve("w").workflow;
    expect(narrowed?.tasks[0]?.role).toBe("executor-reading");
    expect(narrowed?.roles["executor-reading"]?.access).toBe("read");
    expect(withWorkflow("## reviewer\naccess: write\n\nx").problems("w")).toEqual([
      `${OWN}:7: The role "reviewer" only reads. Give the task a role that may write.`,
    ]);
  });

  it("a workflow is found by its path too", () => {
    const home = new CrewHome({ "flows/mine.md": "## explorer\n\nLook at {goal}" });
    expect(home.resolve("flows/mine.md").workflow?.name).toBe("mine");
  });
});

describe("mistakes are named with file, line and the nearest word", () => {
  it.each([
    [
      "an unknown key",
      "## a\nrole: explorer\ndependOn: b\n\nx",
      ':8: "dependOn" is not a key that is known here. Did you mean "dependsOn"?',
    ],
    [
      "an unknown role",
      "## a\nrole: explorr\n\nx",
      ':7: There is no role "explorr". Did you mean "explorer"?',
    ],
    [
      "an unknown agent",
      "## a\nrole: explorer\nagent: cladue-code\n\nx",
      ':8: "cladue-code" is not an agent. There are aider, claude-code, codex, copilot-cli, cursor, factoryai-droid, gemini, opencode, pi, seam. Did you mean "claude-code"?',
    ],
    [
      "an unknown task",
      "## first\nrole: explorer\n\nx\n\n## b\nrole: explorer\ndependsOn: frist\n\nx",
      ':13: There is no task "frist" to depend on. Did you mean "first"?',
    ],
    [
      "a circle",
      "## a\nrole: explorer\ndependsOn: b\n\nx\n\n## b\nrole: explorer\ndependsOn: a\n\nx",
      ":8: These tasks wait for each other: a → b → a.",
    ],
    [
      "a task twice",
      "## a\nrole: explorer\n\nx\n\n## a\nrole: explorer\n\ny",
      ':11: The task "a" is there already, in line 6.',
    ],
    [
      "a word that is none",
      "## a\nrole: explorer\nonFail: contine\n\nx",
      ':8: "onFail" is one of "stop", "skip", "continue", not "contine". Did you mean "continue"?',
    ],
    [
      "no condition",
      "## a\nrole: explorer\nwhen: if it rains\n\nx",
      ':8: This is not a condition. Write one like "review.approved", "not review.approved", "plan.kind == bug" or "build != failed".',
    ],
    [
      "a condition about what need not have ended",
      "## a\nrole: explorer\n\nx\n\n## b\nrole: explorer\nwhen: a.ok\n\nx",
      ':13: The condition looks at "a", which need not have ended: add it to "dependsOn".',
    ],
    [
      "a loop without a bound",
      "## a\nrole: explorer\nloop: { until: a.ok }\n\nx",
      ':8: A loop needs "times": how often it may run again, from 1 to 20.',
    ],
    [
      "a loop to somewhere else",
      "## a\nrole: explorer\nloop: { until: a.ok, times: 2, backTo: b }\n\nx\n\n## b\nrole: explorer\n\ny",
      ':8: The loop goes back to "b", which does not come before "a".',
    ],
    [
      "a loop about what it does not run",
      "## a\nrole: explorer\n\nx\n\n## b\nrole: explorer\ndependsOn: a\nloop: { until: a.ok, times: 2 }\n\ny",
      ':14: The loop waits for "a", which it does not run again.',
    ],
    [
      "a budget of nothing",
      "## a\nrole: explorer\nbudget: $0\n\nx",
      ':8: With a budget of 0 dollars nothing could start. Name an amount, or leave "budget" out.',
    ],
    [
      "a budget that is no amount",
      "## a\nrole: explorer\nbudget: five dollars\n\nx",
      ':8: "five dollars" is not an amount. Write one like "$5", "200k tokens", "60 minutes" or "40 turns".',
    ],
    [
      "a condition about what a result does not have",
      "## a\nrole: explorer\nresult: { approved: boolean }\n\nx\n\n## b\nrole: explorer\ndependsOn: a\nwhen: a.aproved\n\nx",
      ':15: The condition looks at "a.aproved", and the result of "a" has no "aproved". Did you mean "approved"?',
    ],
    [
      "a list that a result does not have",
      '## a\nrole: explorer\nresult: { files: "string[]" }\n\nx\n\n## b\nrole: explorer\ndependsOn: a\nforEach: a.file\n\n{item}',
      ':15: The list looks at "a.file", and the result of "a" has no "file". Did you mean "files"?',
    ],
    [
      "a part of a result in a prompt that is not there",
      "## a\nrole: explorer\nresult: { cause: string }\n\nx\n\n## b\nrole: explorer\ndependsOn: a\n\nIt is {results.a.couse}.",
      ':12: The prompt has {results.a.couse}, and the result of "a" has no "couse". Did you mean "cause"?',
    ],
    [
      "an item without a list",
      "## a\nrole: explorer\n\nLook at {item}",
      ':6: The prompt has {item}, and the task has no "forEach".',
    ],
    [
      "a result of nobody",
      "## plan\nrole: explorer\n\nx\n\n## b\nrole: explorer\ndependsOn: plan\n\nSee {results.plna.x}",
      ':11: The prompt has {results.plna}, and there is no task "plna". Did you mean "plan"?',
    ],
    [
      "a list of nobody",
      "## a\nrole: explorer\nforEach: plan.items\n\n{item}",
      ':8: There is no task "plan" whose result could be the list.',
    ],
    [
      "a budget of nothing",
      "## a\nrole: explorer\nbudget: 5 bananas\n\nx",
      ':8: "bananas" is nothing that a budget can limit: dollars, tokens, minutes or turns.',
    ],
    [
      "a type that is none",
      "## a\nrole: explorer\nresult: { ok: bolean }\n\nx",
      ':8: "bolean" is no type of a result: string, text, number, integer, boolean, a list as "string[]", or words as "a | b". Did you mean "boolean"?',
    ],
    [
      "a model of nobody",
      "## a\nrole: explorer\nmodel: opus\n\nx",
      ':8: "model" needs to know whose: write "agent: claude-code:<model>".',
    ],
    [
      "a name that is none",
      "## ???\nrole: explorer\n\nx\n\n## ok\nrole: explorer\n\ny",
      ':6: "???" cannot be the name of a task: letters, digits and dashes.',
    ],
    [
      "a key twice",
      "## a\nrole: explorer\nrole: critic\n\nx",
      ':8: "role" is there already, in line 7.',
    ],
    [
      "a pattern in the place of a folder",
      "## a\nrole: executor\nsparse: packages/*\n\nx",
      ':8: "packages/*" is no folder of the repository. Name one as "packages/api", without a pattern.',
    ],
    [
      "a folder outside of the repository",
      "## a\nrole: executor\nsparse: src, ../other\n\nx",
      ':8: "../other" is no folder of the repository. Name one as "packages/api", without a pattern.',
    ],
    [
      "a reviewer who is not there",
      "## a\nrole: executor\nreviewedBy: reviwer\n\nx",
      ':8: There is no role "reviwer". Did you mean "reviewer"?',
    ],
  ])("%s", (_, body, problem) => {
    const home = withWorkflow(body);
    expect(home.problems("w")).toEqual([`${OWN}${problem}`]);
    expect(home.resolve("w").workflow).toBeUndefined();
  });

  it("several are named in the order of the lines", () => {
    const body =
      "## a\nrole: explorr\nonFail: contine\nloop: { until: a.ok, times: 0, backTo: b }\n\nx\n\n## c\nrole: explorer\ndependsOn: d\n\nx";
    const lines = withWorkflow(body, "verfy: npm test\n").problems("w");
    expect(lines.map((line) => Number(/:(\d+):/.exec(line)?.[1]))).toEqual([4, 8, 9, 10, 10, 16]);
  });

  it("a word in braces that is nearly one of Seam's is a warning: a prompt may have braces", () => {
    const home = withWorkflow("## a\nrole: explorer\n\nDo {gaol}, and mind {braces}.");
    expect(home.problems("w")).toEqual([
      `${OWN}:6: The prompt has {gaol}, which stands for nothing. Did you mean "goal"?`,
    ]);
    expect(home.resolve("w").workflow).toBeDefined();
  });

  it("an unknown workflow is told with the nearest one there is", () => {
    expect(new CrewHome().problems("fix-bgu")).toEqual([
      'fix-bgu: There is no workflow of that name, and no file. seam crew workflows lists what there is. Did you mean "fix-bug"?',
    ]);
  });

  it("a head that is not closed, and a workflow without tasks", () => {
    const home = new CrewHome({ [OWN]: "---\nname: w\n" });
    expect(home.problems("w")).toEqual([
      `${OWN}:1: The head is not closed: a line with "---" is missing.`,
      `${OWN}:2: A workflow needs tasks: each begins with a heading like "## review".`,
    ]);
  });

  it("a role whose agent file is gone is named in the team's file", () => {
    const home = new CrewHome({
      [OWN]: workflowText("## a\nrole: boss\n\nx", "team: t\n"),
      ".seam/crew/teams/t.team.md": "---\nname: t\n---\n- boss: agent=explorrer",
    });
    expect(home.problems("w")).toContain(
      '.seam/crew/teams/t.team.md:4: The role "boss" is the agent "explorrer", which is not there. Did you mean "explorer"?',
    );
  });

  it("what pi-crew's newer versions know is a warning, and a slip of the finger is an error", () => {
    const at = ".crew/workflows/w.workflow.md";
    const home = new CrewHome({ [at]: "## a\nrole: explorer\nsandboxTier: 3\n\nx" });
    expect(home.problems("w")).toEqual([
      `${at}:3: "sandboxTier" is not a key that is known here. It has no effect.`,
    ]);
    expect(home.resolve("w").workflow).toBeDefined();
    home.write(at, "## a\nrole: explorer\ndependOn: b\n\nx");
    expect(home.resolve("w").workflow).toBeUndefined();
  });
});

describe("a project's files are text until the user agreed to them", () => {
  it("commands, pushing and more than Seam's own role may are asked for", () => {
    const home = withWorkflow("## reviewer\nverify: npm test\n\nx", "verify: make all\n");
    const role = home.write(
      ".seam/crew/agents/reviewer.md",
      "---\naccess: write\nmayPush: true\nallowCommands: npm run *\n---\nx",
    );
    const { untrusted, workflow } = home.resolve("w");
    expect(workflow).toBeDefined();
    expect(untrusted.map(({ asks }) => asks)).toEqual([
      ["run: make all", "run: npm test"],
      [
        "let the role reviewer run: npm run *",
        "let the role reviewer push",
        "let the role reviewer change files, which Seam's own role of that name may not",
      ],
    ]);
    expect(untrusted[1]?.path).toBe(role);
  });

  it("are used once the user agreed, and asked for again when they change", () => {
    process.env.SEAM_HOME = new CrewHome().home;
    const home = withWorkflow("## reviewer\nverify: npm test\n\nx");
    const [file] = home.resolve("w").untrusted;
    const path = file?.path ?? "";
    const content = new Map([[path, readFileSync(path)]]);
    agree(home.repository, [{ kind: "crew", path, content }]);
    expect(home.resolve("w").untrusted).toEqual([]);
    home.write(OWN, workflowText("## reviewer\nverify: rm -rf /\n\nx"));
    expect(home.resolve("w").untrusted).toHaveLength(1);
    delete process.env.SEAM_HOME;
  });

  it("the user's own commands need no agreement", () => {
    const home = new CrewHome({
      "~/.seam/crew/workflows/w.workflow.md": "## reviewer\nverify: npm test\n\nx",
    });
    expect(home.resolve("w").untrusted).toEqual([]);
  });
});
