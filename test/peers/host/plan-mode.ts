/** The example that uses most of the API at once. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { prove } from "./proofs.ts";
import { plain } from "./screen.ts";
import { onSeam, type Stage, textOf } from "./stage.ts";

const PLAN = "Plan:\n1. Gather the wool carefully\n2. Weave the cloth tightly\n";
const offered = (stage: Stage, request: number) =>
  stage.asked[request]?.tools.map(({ name }) => name) ?? [];
const said = (stage: Stage, request: number) =>
  stage.asked[request]?.messages.map(({ content }) => textOf(content)).join("\n---\n") ?? "";

prove(
  "B",
  "plan-mode",
  "--plan: write tools are gone, rm is blocked, reading is not, the plan context is injected",
  async () => {
    const bash = (command: string) => ({ name: "bash", arguments: { command } });
    const stage = await onSeam("plan-mode", {
      turns: [
        { toolCalls: [bash("rm keep.txt")] },
        { toolCalls: [bash("cat keep.txt")] },
        { toolCalls: [{ name: "write", arguments: { path: "x", content: "" } }] },
        { text: "No plan." },
      ],
      files: { "keep.txt": "kept" },
      flags: { plan: true },
    });
    await stage.prompt("Look around.");
    expect(offered(stage, 0)).toEqual(
      expect.arrayContaining(["read", "bash", "grep", "find", "ls"]),
    );
    expect(offered(stage, 0)).not.toContain("write");
    expect(offered(stage, 0)).not.toContain("edit");
    expect(said(stage, 0)).toContain("[PLAN MODE ACTIVE]");
    const [blocked, read, write] = stage.results();
    expect(blocked).toMatchObject({ isError: true });
    expect(textOf(blocked?.content)).toContain("Plan mode: command blocked");
    expect(textOf(read?.content)).toContain("kept");
    expect(write).toMatchObject({ isError: true });
    expect(existsSync(join(stage.cwd, "keep.txt"))).toBe(true);
    expect(existsSync(join(stage.cwd, "x"))).toBe(false);
    return stage;
  },
);

prove(
  "B",
  "plan-mode",
  "command and shortcut switch it; afterwards its context is filtered out of the request",
  async () => {
    const stage = await onSeam("plan-mode", {
      turns: [{ text: "Nothing." }, { text: "Hello." }],
      answers: ["Stay in plan mode"],
    });
    await stage.prompt("/plan");
    expect(plain([stage.person.seen.statuses.get("plan-mode") ?? ""])).toBe("⏸ plan");
    await stage.prompt("One.");
    expect(said(stage, 0)).toContain("[PLAN MODE ACTIVE]");
    stage.agent.extensions.shortcuts()[0]?.run();
    await stage.idle();
    expect(stage.person.seen.statuses.has("plan-mode")).toBe(false);
    await stage.prompt("Two.");
    expect(said(stage, 1)).not.toContain("[PLAN MODE ACTIVE]");
    expect(said(stage, 1)).toContain("One.");
    expect(offered(stage, 1)).toEqual(expect.arrayContaining(["edit", "write"]));
    // Filtered for the model, kept in the session.
    expect(JSON.stringify(stage.entries())).toContain("[PLAN MODE ACTIVE]");
    return stage;
  },
);

prove(
  "B",
  "plan-mode",
  "a plan is read from the answer, shown, carried out on request, ticked off and completed",
  async () => {
    const stage = await onSeam("plan-mode", {
      turns: [{ text: PLAN }, { text: "Wool is here. [DONE:1]" }, { text: "Woven. [DONE:2]" }],
      flags: { plan: true },
      answers: ["Execute the plan (track progress)"],
    });
    await stage.prompt("Make cloth.");
    expect(stage.person.seen.questions.map(({ title }) => title)).toEqual([
      "Plan mode - what next?",
    ]);
    expect(stage.asked).toHaveLength(2);
    expect(said(stage, 1)).toContain("Execute the plan.");
    expect(said(stage, 1)).toContain("Start with: Gather the wool carefully");
    expect(said(stage, 1)).not.toContain("[PLAN MODE ACTIVE]");
    expect(offered(stage, 1)).toContain("write");
    const widget = stage.person.seen.widgets.get("plan-todos") as string[];
    expect(plain(widget)).toBe("☑ Gather the wool carefully\n☐ Weave the cloth tightly");
    expect(plain([stage.person.seen.statuses.get("plan-mode") ?? ""])).toBe("📋 1/2");
    await stage.prompt("/todos");
    expect(stage.notifications().at(-1)).toContain("1. ✓ Gather the wool carefully");
    await stage.prompt("Go on.");
    expect(said(stage, 2)).toContain("[EXECUTING PLAN");
    expect(said(stage, 2)).toContain("Remaining steps:\n2. Weave the cloth tightly");
    expect(stage.person.seen.widgets.has("plan-todos")).toBe(false);
    const shown = stage
      .entries()
      .flatMap((entry) => (entry.type === "custom_message" ? [entry.customType] : []));
    expect(shown).toEqual([
      "plan-mode-context",
      "plan-todo-list",
      "plan-mode-execute",
      "plan-execution-context",
      "plan-complete",
    ]);
    return stage;
  },
);

prove("B", "plan-mode", "a refinement from the editor becomes the next prompt", async () => {
  const stage = await onSeam("plan-mode", {
    turns: [{ text: PLAN }, { text: PLAN }],
    flags: { plan: true },
    answers: ["Refine the plan", "Use less wool", "Stay in plan mode"],
  });
  await stage.prompt("Make cloth.");
  expect(stage.asked).toHaveLength(2);
  expect(said(stage, 1)).toContain("Use less wool");
  expect(said(stage, 1)).toContain("[PLAN MODE ACTIVE]");
  return stage;
});

prove("B", "plan-mode", "resumed, it goes on where the plan was", async () => {
  const first = await onSeam("plan-mode", {
    turns: [{ text: PLAN }, { text: "Wool is here. [DONE:1]" }],
    flags: { plan: true },
    answers: ["Execute the plan (track progress)"],
  });
  await first.prompt("Make cloth.");
  await first.agent.dispose();
  const second = await onSeam("plan-mode", {
    turns: [{ text: "Woven. [DONE:2]" }],
    cwd: first.cwd,
    resume: first.sessionFile(),
    answers: [],
  });
  const widget = second.person.seen.widgets.get("plan-todos") as string[];
  expect(plain(widget)).toBe("☑ Gather the wool carefully\n☐ Weave the cloth tightly");
  await second.prompt("Go on.");
  expect(said(second, 0)).toContain("Remaining steps:\n2. Weave the cloth tightly");
  return [first, second];
});
