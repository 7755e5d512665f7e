import { describe, expect, it } from "vitest";
import { CrewHome } from "./test-kit/crew-home.ts";

const AGENT = `---
name: schema-hand
description: Writes migrations that can be taken back
model: false
thinking: medium
tools: read, grep, bash, edit, write
fallbackModels: one, two
inheritProjectContext: true
inheritSkills: false
systemPromptMode: append
memory: project
loadMode: lean
contextMode: fresh
maxTurns: 12
triggers: migration, schema
useWhen: tables change
avoidWhen: nothing changes
cost: cheap
category: data
---
One script up, one down.
`;

const TEAM = `---
name: schema-team
description: Work on tables
defaultWorkflow: schema-change
workspaceMode: worktree
maxConcurrency: 2
triggers: tables
observability: true
---
- scout: agent=explorer finds the queries
- hand: agent=schema-hand writes it
- checker: agent=verifier maxConcurrency=1 skills=prove, doubt proves it
`;

const WORKFLOW = `---
name: schema-change
description: look, change, prove
maxConcurrency: 3
topology: dag
coalesceMicroTasks: true
specStrict: false
---
## scout
role: scout
parallelGroup: before
progress: true
output: false

Which queries does this touch? {goal}

## notes
role: scout
parallelGroup: before
reads: README.md, docs/tables.md
skills: prove
specRefs: S-1

Take notes about: {goal}

## change
role: hand
dependsOn: before
output: migration.sql
worktree: true
model: some/model

Write the migration for: {goal}

## prove
role: checker
dependsOn: change
verify: true
specStrict: true

Run it up and down.
`;

const files = {
  ".crew/agents/schema-hand.md": AGENT,
  ".crew/teams/schema.team.md": TEAM,
  ".crew/workflows/schema.workflow.md": WORKFLOW,
};

describe("files as pi-crew has them", () => {
  it("run as they are: roles, groups, outputs and keys that mean nothing here", () => {
    const crew = new CrewHome(files);
    expect(crew.problems("schema-change")).toEqual([]);
    const { workflow, untrusted } = crew.resolve("schema-change");
    expect(untrusted).toEqual([]);
    expect(workflow?.maxConcurrency).toBe(3);
    const byId = Object.fromEntries((workflow?.tasks ?? []).map((task) => [task.id, task]));
    expect(byId.change).toMatchObject({
      dependsOn: ["scout", "notes"],
      agents: [{ agent: "pi", model: "some/model" }],
    });
    expect(byId.notes?.prompt).toMatch(/README\.md[\s\S]*docs\/tables\.md/);
    // `verify: true` says that a step checks; it is no command.
    expect(byId.prove?.verify).toEqual([]);
    const roles = workflow?.roles ?? {};
    expect(roles[byId.change?.role ?? ""]?.access).toBe("write");
    expect(roles[byId.scout?.role ?? ""]?.access).toBe("read");
  });

  it("are found by the name of their team, and beside an older folder of Pi's", () => {
    expect(new CrewHome(files).resolve("schema-team").workflow?.name).toBe("schema-change");
    const moved = Object.entries(files).map(([path, text]) => [
      path.replace(".crew/", ".pi/teams/"),
      text,
    ]);
    expect(new CrewHome(Object.fromEntries(moved)).problems("schema-change")).toEqual([]);
  });

  it.each([
    ["dependsOn: before", "dependsOn: befor", 'schema.workflow.md:28: .*"befor".*"before"'],
    ["role: hand", "role: hnad", 'schema.workflow.md:27: .*"hnad".*"hand"'],
    ["dependsOn: change", "dependson: change", 'schema.workflow.md:37: .*"dependsOn"'],
  ])("are wrong in a line that is named, with the nearest word: %s", (right, wrong, said) => {
    const text = WORKFLOW.replace(right, wrong);
    const crew = new CrewHome({ ...files, ".crew/workflows/schema.workflow.md": text });
    expect(crew.problems("schema-change").join("\n")).toMatch(new RegExp(said));
  });
});
