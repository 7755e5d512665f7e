import { describe, expect, it } from "vitest";
import { mismatch, SkillEventSchema } from "../events/index.ts";
import { skillFile } from "./resources/test-kit.ts";
import {
  type HostedOptions,
  hosted,
  resultTexts,
  storedMessages,
  storedResults,
  testProject,
  textsOf,
} from "./test-kit/index.ts";

const project = testProject();
const run = (options: HostedOptions) => hosted({ cwd: project.root, ...options });
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

const skillEntries = (agent: Awaited<ReturnType<typeof run>>["agent"]) =>
  agent.session
    .getEntries()
    .flatMap((entry) =>
      entry.type === "custom" && entry.customType === "skill_event" ? [entry.data] : [],
    );

describe("/skill:name", () => {
  it("sends what the skill says, and the use is told and kept in the shape of source 000", async () => {
    project.write(".seam/skills/trigger-analysis/SKILL.md", skillFile("trigger-analysis", "Dig."));
    const { agent, requests, of } = await run({ turns: [{ text: "ok" }] });
    await agent.prompt("/skill:trigger-analysis the logs");
    const [sent] = textsOf(requests[0]?.messages);
    expect(sent).toContain("Dig.");
    expect(sent).toMatch(/the logs$/);

    const [event] = of("skill_invoked").map(({ skillEvent }) => skillEvent);
    expect(event).toEqual({
      id: `seam-skill-trigger-analysis-${event?.timestamp}-0`,
      event_type: "prompt_invocation",
      skill: { name: "trigger-analysis" },
      source: { agent: "seam", signal: "input_slash_command", confidence: "explicit" },
      timestamp: ISO,
      native: { command: "/skill:trigger-analysis" },
      collapse: {
        target: "user_message",
        label: "/skill:trigger-analysis",
        default_collapsed: true,
      },
    });
    expect(skillEntries(agent)).toEqual([event]);
    expect(mismatch(SkillEventSchema, JSON.parse(JSON.stringify(event)))).toBeUndefined();
  });

  it("of a skill nobody knows is refused with the name that was meant, and nothing is sent", async () => {
    project.write(".seam/skills/review/SKILL.md", skillFile("review"));
    const { agent, of, requests } = await run({ turns: [{ text: "ok" }] });
    await expect(agent.prompt("/skill:reveiw now")).rejects.toMatchObject({
      code: "SEAM_SKILL_UNKNOWN",
      message: 'There is no skill "reveiw". Did you mean /skill:review?',
    });
    await expect(agent.steer("/skill:elsewhere")).rejects.toThrow("There are: review.");
    expect([requests, storedMessages(agent), of("skill_invoked")]).toEqual([[], [], []]);
    await agent.prompt("what does /skill:reveiw do?");
    expect(requests).toHaveLength(1);
  });

  it("of a skill nobody knows may be an extension's to handle", async () => {
    const { agent, requests } = await run({
      turns: [{ text: "ok" }],
      on: { input: ({ text }) => ({ action: "transform", text: text.replace("/skill:", "do ") }) },
    });
    await agent.prompt("/skill:own now");
    expect(textsOf(requests[0]?.messages)).toEqual(["do own now"]);
  });

  it("is refused where there are no skills at all", async () => {
    const { agent } = await run({});
    await expect(agent.prompt("/skill:any")).rejects.toThrow("There are none.");
  });

  it("is seen by input handlers before it is expanded", async () => {
    project.write(".seam/skills/review/SKILL.md", skillFile("review"));
    const { agent, of } = await run({ turns: [{ text: "ok" }] });
    await agent.prompt("/skill:review");
    expect(of("input")).toMatchObject([{ text: "/skill:review" }]);
  });
});

describe("the Skill tool", () => {
  const call = (skill: string) => ({ toolCalls: [{ name: "Skill", arguments: { skill } }] });

  it("gives the model the skill, and the use is told and kept in the shape of source 000", async () => {
    project.write(".claude/skills/review/SKILL.md", skillFile("review", "Look twice."));
    const { agent, requests, of } = await run({ turns: [call("review"), { text: "ok" }] });
    await agent.prompt("go");
    expect(requests[0]?.systemPrompt).toContain("About review");
    expect(resultTexts(agent)[0]).toContain("Look twice.");
    const [event] = of("skill_invoked").map(({ skillEvent }) => skillEvent);
    expect(event).toEqual({
      id: "seam-skill-call_1",
      event_type: "tool_invocation",
      skill: { name: "review" },
      source: { agent: "seam", signal: "skill_tool_use", confidence: "explicit" },
      turn_id: of("agent_start")[0]?.turnId,
      timestamp: ISO,
      native: { tool_name: "Skill", tool_use_id: "call_1" },
      collapse: { target: "tool_pair", label: "Skill: review", default_collapsed: true },
    });
    expect(skillEntries(agent)).toEqual([event]);
  });

  it("of a skill nobody knows is an error and no use", async () => {
    const { agent, of } = await run({ turns: [call("nope"), { text: "ok" }] });
    await agent.prompt("go");
    expect(storedResults(agent)).toMatchObject([{ isError: true }]);
    expect(of("skill_invoked")).toEqual([]);
  });
});

describe("a prompt template", () => {
  it("takes the place of its name, with the arguments filled in", async () => {
    project.write(".seam/prompts/fix.md", "---\ndescription: Fix it\n---\nFix $1 in $2.");
    const { agent, pi, requests } = await run({ turns: [{ text: "ok" }] });
    expect(pi.getCommands()).toMatchObject([
      { name: "fix", description: "Fix it", source: "prompt" },
    ]);
    await agent.prompt('/fix "the bug" main.ts');
    expect(textsOf(requests[0]?.messages)).toEqual(["Fix the bug in main.ts."]);
  });
});
