import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { AGENTS } from "../../drive/agents/index.ts";
import type { Launch, Launched } from "../../drive/launch.ts";
import type { OnAgent } from "./on-agent.ts";
import { byPrompt } from "./skill-event.ts";
import type { Stage } from "./stage.ts";
import { until } from "./until.ts";
import { SKILL } from "./work.ts";

type Once = Omit<Launch, "root" | "home" | "cwd" | "agent">;

const count = (stage: Stage, type: string) =>
  stage.seen().filter((event) => event.type === type).length;

/** A compaction that goes its way is told before and after. */
export function compacts({ agent, stage, test, work }: OnAgent, once: Once): void {
  test("tells extensions of a compaction", async () => {
    const before = count(stage, "session_compact");
    const run = await again(stage, agent, once, work());
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0 });
    await until(() => count(stage, "session_compact") > before);
    expect(count(stage, "session_compact")).toBe(before + 1);
    expect(count(stage, "session_before_compact")).toBeGreaterThan(0);
  });
}

/** A compaction that a person asked for is told once it is done, and nothing is printed about Seam. */
export function compactsByHand({ agent, stage, test, work }: OnAgent, once: Once): void {
  test("tells extensions of a compaction by hand, and prints no hook", async () => {
    const before = count(stage, "session_compact");
    const asked = count(stage, "session_before_compact");
    const run = await again(stage, agent, once, work());
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0 });
    await until(() => count(stage, "session_compact") > before);
    expect(count(stage, "session_compact")).toBe(before + 1);
    expect(count(stage, "session_before_compact")).toBe(asked);
    const shown = run.stdout + run.stderr + readFileSync(work().transcriptPath ?? "", "utf8");
    expect(shown).toContain("compact_boundary");
    expect(shown).not.toMatch(/P(re|ost)Compact \[/);
  });
}

/** An extension stops a compaction: the agent keeps its conversation. */
export function compactionIsCancelled(
  { agent, stage, test, proofs, work }: OnAgent,
  once: Once,
  done: (transcript: string) => boolean,
): void {
  test("lets an extension stop a compaction", async () => {
    stage.use("cancel");
    await again(stage, agent, once, work());
    stage.drop("cancel");
    expect(count(stage, "session_before_compact")).toBe(1);
    expect(done(readFileSync(work().transcriptPath ?? "", "utf8"))).toBe(false);
    expect(count(stage, "session_compact")).toBe(0);
    proofs.proved("cancel");
  });
}

/** What the user types as a command of the agent is a skill as well. */
export function typedSkill({ agent, stage, test }: OnAgent): void {
  test("tells extensions of a skill that the user typed", async () => {
    const before = stage.seen().length;
    const prompt = `${AGENTS[agent].typedSkill?.(SKILL)} Bob`;
    const run = await stage.launch({ agent, prompt, script: [{ text: "Hello." }] });
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    const skills = stage
      .seen()
      .slice(before)
      .filter(({ type }) => type === "skill_invoked");
    expect(skills.map(({ skillEvent }) => skillEvent)).toEqual([byPrompt(agent, false)]);
  });
}

/** The model cannot be reached: the turn is over all the same. */
export function failedModel({ agent, stage, test }: OnAgent): void {
  test("tells extensions of the end of a turn that failed", async () => {
    const before = count(stage, "agent_end");
    const script = [{ error: { status: 400, message: "no" } }];
    await stage.launch({ agent, prompt: "please go", script });
    await until(() => count(stage, "agent_end") > before);
    expect(count(stage, "agent_end")).toBe(before + 1);
  });
}

function again(stage: Stage, agent: Launch["agent"], once: Once, { sessionId = "" }: Launched) {
  return stage.launch({ resume: sessionId, ...once, agent });
}
