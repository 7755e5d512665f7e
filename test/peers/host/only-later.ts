/** The examples that only Pi 1.5 has. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { RENDER_HINTS } from "../../../src/extensions/index.ts";
import { anthropicAnswer, pretendNetwork } from "./network.ts";
import { prove, proveUnloadable, unproven } from "./proofs.ts";
import { scriptedProvider } from "./provider.ts";
import { plain } from "./screen.ts";
import { folder, git, onSeam, put, type Stage, setEnv, textOf } from "./stage.ts";

const RESOLVE =
  "echo both > a.txt && git -c user.name=O -c user.email=o@example.com commit -qam Merged";

/** What the extension draws for the last entry of a type. */
function drawnEntry(stage: Stage, customType: string, expanded: boolean): string {
  const entry = stage
    .entries()
    .findLast((one) => one.type === "custom" && one.customType === customType);
  if (entry?.type !== "custom") throw new Error(`There is no entry ${customType}.`);
  const draw = stage.agent.extensions.entryRenderer(customType);
  const { theme } = stage.person.ui;
  return plain(draw?.(entry, { ...RENDER_HINTS, expanded }, theme)?.render(80) ?? []);
}

prove(
  "A",
  "input-transform-streaming",
  "the diff is added when idle, not when steering",
  async () => {
    const stage = await onSeam("input-transform-streaming", {
      turns: [
        { toolCalls: [{ name: "bash", arguments: { command: "sleep 0.5" } }] },
        { text: "Seen." },
        { text: "Seen again." },
      ],
      files: { "a.txt": "one\n" },
      git: true,
    });
    put(join(stage.cwd, "a.txt"), "two\n");
    const working = stage.prompt("Look at my changes.");
    await expect.poll(() => stage.asked.length).toBe(1);
    await stage.agent.steer("What changes?");
    await working;
    const said = stage.asked.at(-1)?.messages.filter(({ role }) => role === "user") ?? [];
    expect(textOf(said[0]?.content)).toContain("a.txt | 2 +-");
    expect(textOf(said[1]?.content)).toBe("What changes?");
    return stage;
  },
);

prove(
  "A",
  "git-merge-and-resolve",
  "conflicts with the upstream come back as a follow-up",
  async () => {
    const origin = folder("origin");
    git(origin, "init", "-q", "-b", "main");
    const stage = await onSeam("git-merge-and-resolve", {
      turns: [
        { text: "Done." },
        // Unresolved, they would come back again and again, as in Pi.
        { toolCalls: [{ name: "bash", arguments: { command: RESOLVE } }] },
        { text: "Resolved." },
      ],
      files: { "a.txt": "base\n" },
      git: true,
    });
    const { cwd } = stage;
    const branch = git(cwd, "branch", "--show-current");
    const other = folder("other");
    git(origin, "config", "receive.denyCurrentBranch", "ignore");
    git(cwd, "remote", "add", "origin", origin);
    git(cwd, "push", "-q", "-u", "origin", branch);
    git(other, "clone", "-q", "-b", branch, origin, ".");
    put(join(other, "a.txt"), "theirs\n");
    git(other, "-c", "user.name=O", "-c", "user.email=o@example.com", "commit", "-qam", "Theirs");
    git(other, "push", "-q", "origin", branch);
    put(join(cwd, "a.txt"), "ours\n");
    git(cwd, "-c", "user.name=O", "-c", "user.email=o@example.com", "commit", "-qam", "Ours");
    await stage.prompt("Work.");
    await stage.idle();
    const [, second] = stage.asked;
    expect(textOf(second?.messages.at(-1)?.content)).toContain("a.txt:1-5 (ours 2, theirs 4)");
    expect(stage.asked).toHaveLength(3);
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("both\n");
    return stage;
  },
);

prove("B", "project-trust", "the choice counts before the project's extensions run", async () => {
  const theirs = 'export default (pi) => pi.registerCommand("theirs", { handler() {} });';
  const files = { ".seam/extensions/theirs.ts": theirs };
  const meet = (answer: string) =>
    onSeam("project-trust", { answers: [answer], files, asksForTrust: true });
  const yes = await meet("Trust this session");
  const no = await meet("Do not trust this session");
  const commands = ({ agent }: Stage) => agent.commands.map(({ name }) => name);
  expect(commands(yes)).toContain("theirs");
  expect(commands(no)).not.toContain("theirs");
  expect(yes.person.seen.questions[0]).toMatchObject({ kind: "select" });
  expect(yes.notifications().join("\n")).toContain("project_trust fired for");
  return [yes, no];
});

prove(
  "C",
  "debug-provider",
  "the provider's own events are kept as an entry and drawn",
  async () => {
    setEnv({ ANTHROPIC_API_KEY: "secret" });
    pretendNetwork(() => anthropicAnswer({ text: "Hi." }));
    const stage = await onSeam("debug-provider", {
      use: "anthropic/claude-sonnet-4-5",
      answers: [],
    });
    await stage.prompt("/debug-provider on");
    await stage.prompt("Hello.");
    const collapsed = drawnEntry(stage, "debug-provider-events", false);
    expect(collapsed).toMatch(/\[provider debug\] anthropic\/.* · \d+ events/);
    expect(drawnEntry(stage, "debug-provider-events", true)).toContain("content_block_delta");
    expect(stage.person.seen.statuses.get("debug-provider")).toBe("provider debug");
    return stage;
  },
);

prove(
  "C",
  "jev-router",
  "plans on one model, and goes on with another after the first edit",
  async () => {
    const edit = { path: "a.txt", edits: [{ oldText: "one", newText: "two" }] };
    const ids = ["gpt-5.6-sol", "gpt-5.6-terra", "gpt-5.6-luna"];
    const codex = scriptedProvider("openai-codex", ids, [
      { toolCalls: [{ name: "edit", arguments: edit }] },
      { text: "Done." },
    ]);
    const stage = await onSeam("jev-router", {
      use: "jev/auto",
      files: { "a.txt": "one\n" },
      models: (models) => codex.addTo(models),
    });
    await stage.prompt("Change it.");
    const answered = stage
      .entries()
      .flatMap((entry) =>
        entry.type === "message" && entry.message.role === "assistant" ? [entry.message.model] : [],
      );
    expect(answered).toEqual(["gpt-5.6-terra", "gpt-5.6-luna"]);
    const states = stage
      .entries()
      .flatMap((entry) => (entry.type === "custom" ? [entry.data] : []));
    expect(states).toMatchObject([
      { provider: "jev", modelId: "auto", state: { phase: "planning" } },
      { state: { phase: "implementation" } },
    ]);
    return stage;
  },
);
unproven("C", "jev-router", "the real classifier: it needs an account");

prove(
  "D",
  "entry-renderer",
  "the card is an entry the model never sees, and is drawn",
  async () => {
    const stage = await onSeam("entry-renderer", { turns: [{ text: "Hi." }], answers: [] });
    await stage.prompt("/status-card All is well");
    await stage.prompt("Hello.");
    expect(drawnEntry(stage, "status-card", false)).toContain("[status] All is well");
    expect(drawnEntry(stage, "status-card", true).split("\n").length).toBeGreaterThan(
      drawnEntry(stage, "status-card", false).split("\n").length,
    );
    expect(JSON.stringify(stage.asked[0]?.messages)).not.toContain("All is well");
    return stage;
  },
);

proveUnloadable("E", "gondolin", "the message names what is missing, the agent works", async () => {
  const stage = await onSeam("gondolin", { turns: [{ text: "Hi." }] });
  const [failure] = stage.agent.extensions.failures;
  expect(failure?.name).toBe("gondolin");
  expect(failure?.problem.error.message).toContain("@earendil-works/gondolin");
  await stage.prompt("Hello.");
  expect(stage.asked).toHaveLength(1);
});
unproven("E", "gondolin", "the virtual machine: it needs @earendil-works/gondolin and QEMU");
