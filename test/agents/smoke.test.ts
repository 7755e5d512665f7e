import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isFull } from "../setup/sample.ts";
import { AGENT_NAMES } from "./drive/agent.ts";
import { AGENTS, releasesOf } from "./drive/agents/index.ts";
import { labelOf, whyNotRun } from "./drive/installed.ts";
import { launch } from "./drive/launch.ts";
import { type NewPlace, newPlace } from "./drive/place.ts";
import { modelSaw } from "./model-server/saw.ts";

it("has an agent to run", () => {
  const reasons = AGENT_NAMES.map((each) => whyNotRun(AGENTS[each]));
  expect(reasons, "Run: node test/agents/install.mjs").toContain(undefined);
});

let place: NewPlace;
beforeEach(() => {
  place = newPlace();
});
afterEach(() => place.remove());

const RELEASES = AGENT_NAMES.flatMap(releasesOf).map((each) => [labelOf(each), each] as const);

const TRIED = isFull
  ? RELEASES
  : RELEASES.filter(([, { name }]) => name === "claude-code" || name === "codex");

describe.each(TRIED)("%s on a scripted model", (_, agent) => {
  const on = { agent: agent.name, release: agent };
  const reason = whyNotRun(agent);
  const test = it.skipIf(reason !== undefined);
  // What Seam is tested with does these, too.
  const repeated = it.runIf(isFull && reason === undefined);
  const note = reason === undefined ? "" : ` (not run: ${reason})`;

  test(`runs a command, writes a file, keeps a transcript${note}`, async () => {
    const run = await launch({
      ...on,
      ...place,
      prompt: "please go",
      script: [
        {
          text: "First a command.",
          thinking: "What comes first?",
          toolCalls: [{ do: "shell", command: "printf said-by-%d 42" }],
          usage: { input: 1000, cached: 200, output: 30 },
        },
        { toolCalls: [{ do: "write", path: "note.txt", content: "first\nsecond\n" }] },
        { text: "All done." },
      ],
    });
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    expect(readFileSync(join(place.cwd, "note.txt"), "utf8")).toBe("first\nsecond\n");
    const saw = modelSaw(run.requests);
    expect(saw.userTexts.join("\n")).toContain("please go");
    expect(saw.toolResults).toHaveLength(2);
    expect(saw.toolResults[0]?.text).toContain("said-by-42");
    expect(run.sessionId).toBeTruthy();
    expect(readFileSync(run.transcriptPath ?? "").length).toBeGreaterThan(0);
    if (run.transcriptPath?.endsWith(".jsonl")) {
      expect(readFileSync(run.transcriptPath, "utf8")).toContain("said-by-42");
    }
  });

  repeated(`reads and edits a file, then goes on with the session${note}`, async () => {
    const file = join(place.cwd, "list.txt");
    writeFileSync(file, "one\ntwo\nthree\n");
    const first = await launch({
      ...on,
      ...place,
      prompt: "please change it",
      script: [
        { toolCalls: [{ do: "read", path: "list.txt" }] },
        { toolCalls: [{ do: "edit", path: "list.txt", before: "two", after: "2" }] },
        { text: "Changed." },
      ],
    });
    expect(first, first.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    expect(modelSaw(first.requests).toolResults[0]?.text).toContain("three");
    expect(readFileSync(file, "utf8")).toBe("one\n2\nthree\n");

    const second = await launch({
      ...on,
      ...place,
      resume: first.sessionId ?? "",
      prompt: "and once more",
      script: [{ text: "Still here." }],
    });
    expect(second, second.stderr).toMatchObject({
      code: 0,
      unplayed: 0,
      overrun: 0,
      sessionId: first.sessionId,
      transcriptPath: first.transcriptPath,
    });
    expect(modelSaw(second.requests).everything).toContain("please change it");
  });

  repeated(`hands work to a skill and to a subagent, where it has them${note}`, async () => {
    const skill = join(place.cwd, agent.skillFile("greet"));
    mkdirSync(dirname(skill), { recursive: true });
    writeFileSync(skill, "---\nname: greet\ndescription: Says hello.\n---\nSay HELLO-OUT-LOUD.\n");
    const { tools, typedSkill } = agent;
    const run = await launch({
      ...on,
      ...place,
      prompt: tools.skill || !typedSkill ? "please go" : `${typedSkill("greet")} Bob`,
      script: {
        turns: [
          ...(tools.skill ? [{ toolCalls: [{ do: "skill" as const, name: "greet" }] }] : []),
          ...(tools.subagent
            ? [{ toolCalls: [{ do: "subagent" as const, prompt: "SMALL-PART of it" }] }]
            : []),
          { text: "All done." },
        ],
        subagents: tools.subagent
          ? [
              {
                prompt: "SMALL-PART",
                turns: [
                  { toolCalls: [{ do: "shell", command: "printf child-of-%d 42" }] },
                  { text: "The part is done." },
                ],
              },
            ]
          : [],
      },
    });
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    expect(modelSaw(run.requests).everything).toContain("HELLO-OUT-LOUD");
    if (!tools.subagent) return;
    expect(modelSaw(run.requests, 0).toolResults[0]?.text).toContain("child-of-42");
    expect(modelSaw(run.requests).everything).toContain("The part is done.");
  });
});

it.skipIf(whyNotRun(AGENTS.pi))(
  "gives an agent nothing of the machine's own settings",
  async () => {
    process.env.NOT_FOR_AGENTS = "secret";
    const run = await launch({
      agent: "pi",
      ...place,
      env: { FOR_AGENTS: "yes" },
      prompt: "please go",
      script: [{ toolCalls: [{ do: "shell", command: "env" }] }, { text: "Done." }],
    });
    delete process.env.NOT_FOR_AGENTS;
    const env = modelSaw(run.requests).toolResults[0]?.text ?? "";
    expect(env).toContain(`HOME=${place.home}\n`);
    expect(env).toContain("FOR_AGENTS=yes");
    expect(env).not.toContain("NOT_FOR_AGENTS");
    expect(existsSync(join(place.home, ".pi"))).toBe(true);
  },
);
