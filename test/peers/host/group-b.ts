/** Examples that ask and show: dialogs, statuses, widgets, titles. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, vi } from "vitest";
import type { Model } from "../../../src/events/index.ts";
import { RpcUI, runRpc } from "../../../src/host/index.ts";
import { prove } from "./proofs.ts";
import { plain } from "./screen.ts";
import { calling, git, onSeam, put, textOf } from "./stage.ts";

const rm = { command: "rm -rf victim" };

prove(
  "B",
  "permission-gate",
  'nobody there: rm -rf is blocked; "No": blocked; "Yes": it runs',
  async () => {
    const files = { "victim/a": "" };
    const alone = await onSeam("permission-gate", { turns: calling("bash", rm), files });
    await alone.prompt("Clean up.");
    expect(textOf(alone.results()[0]?.content)).toContain("no UI for confirmation");
    expect(existsSync(join(alone.cwd, "victim"))).toBe(true);
    const refused = await onSeam("permission-gate", {
      turns: calling("bash", rm),
      files,
      answers: ["No"],
    });
    await refused.prompt("Clean up.");
    expect(refused.results()[0]).toMatchObject({ isError: true });
    expect(textOf(refused.results()[0]?.content)).toBe("Blocked by user");
    expect(existsSync(join(refused.cwd, "victim"))).toBe(true);
    const allowed = await onSeam("permission-gate", {
      turns: calling("bash", rm),
      files,
      answers: ["Yes"],
    });
    await allowed.prompt("Clean up.");
    expect(allowed.results()[0]).toMatchObject({ isError: false });
    expect(existsSync(join(allowed.cwd, "victim"))).toBe(false);
    return [alone, refused, allowed];
  },
);

prove(
  "B",
  "confirm-destructive",
  '"no" cancels new session, switch and fork; nobody there: allowed',
  async () => {
    const stage = await onSeam("confirm-destructive", {
      turns: [{ text: "Hi." }],
      answers: [false, false, "No, stay in current session", "Yes, create fork", true],
    });
    await stage.prompt("Hello.");
    const [first] = stage.entries();
    const id = first?.id ?? "";
    const file = stage.sessionFile();
    expect(await stage.agent.newSession()).toEqual({ cancelled: true });
    expect(await stage.agent.switchSession(file)).toEqual({ cancelled: true });
    expect(await stage.agent.fork(id)).toEqual({ cancelled: true });
    expect(stage.sessionFile()).toBe(file);
    expect(await stage.agent.fork(id)).toEqual({ cancelled: false, editorText: "Hello." });
    expect(stage.sessionFile()).not.toBe(file);
    expect(await stage.agent.newSession()).toEqual({ cancelled: false });
    expect(stage.notifications()).toEqual([
      "Clear cancelled",
      "Switch cancelled",
      "Fork cancelled",
    ]);
    const alone = await onSeam("confirm-destructive");
    expect(await alone.agent.newSession()).toEqual({ cancelled: false });
    return [stage, alone];
  },
);

prove(
  "B",
  "dirty-repo-guard",
  "dirty repository: cancelled when nobody is there, asked otherwise; clean: allowed",
  async () => {
    const alone = await onSeam("dirty-repo-guard", { git: true });
    expect(await alone.agent.newSession()).toEqual({ cancelled: false });
    put(join(alone.cwd, "new.txt"), "x");
    expect(await alone.agent.newSession()).toEqual({ cancelled: true });
    const asked = await onSeam("dirty-repo-guard", {
      git: true,
      answers: ["No, let me commit first", "Yes, proceed anyway"],
    });
    put(join(asked.cwd, "new.txt"), "x");
    expect(await asked.agent.newSession()).toEqual({ cancelled: true });
    expect(await asked.agent.newSession()).toEqual({ cancelled: false });
    expect(asked.person.seen.questions[0]?.title).toBe(
      "You have 1 uncommitted file(s). new session anyway?",
    );
    return [alone, asked];
  },
);

prove(
  "B",
  "git-checkpoint",
  "a stash per step under the entry it belongs to; a fork from there can bring the files back",
  async () => {
    const stage = await onSeam("git-checkpoint", {
      turns: [
        { toolCalls: [{ name: "write", arguments: { path: "a.txt", content: "two" } }] },
        { toolCalls: [{ name: "bash", arguments: { command: "sleep 0.3; git checkout a.txt" } }] },
        { text: "Thinking.", delayMs: 3000 },
      ],
      files: { "a.txt": "one" },
      git: true,
      answers: ["Yes, restore code to that point"],
    });
    const working = stage.agent.prompt("Change it.");
    await vi.waitFor(() => expect(stage.results()).toHaveLength(2));
    expect(readFileSync(join(stage.cwd, "a.txt"), "utf8")).toBe("one");
    const call = stage
      .entries()
      .find((entry) => entry.type === "message" && entry.message.role === "assistant");
    const forked = await stage.agent.fork(call?.id ?? "", { position: "at" });
    await working;
    expect(forked).toEqual({ cancelled: false });
    expect(stage.notifications()).toEqual(["Code restored to checkpoint"]);
    expect(readFileSync(join(stage.cwd, "a.txt"), "utf8")).toBe("two");
    expect(git(stage.cwd, "stash", "list")).toBe("");
    return stage;
  },
);

prove(
  "B",
  "commands",
  "the list has commands of extensions, prompt templates and skills, with their paths",
  async () => {
    const stage = await onSeam("commands", {
      files: {
        ".seam/prompts/review.md": "---\ndescription: Reviews.\n---\nReview it.\n",
        ".claude/skills/weave/SKILL.md": "---\nname: weave\ndescription: Weaves.\n---\nWeave.\n",
      },
      answers: ["/review - Reviews.", true],
    });
    await stage.prompt("/commands");
    const [{ options = [] } = {}] = stage.person.seen.questions;
    expect(options).toEqual([
      "--- Extensions ---",
      "/commands - List available slash commands",
      "--- Prompts ---",
      "/review - Reviews.",
      "--- Skills ---",
      "/skill:weave - Weaves.",
    ]);
    expect(stage.notifications()).toEqual([join(stage.cwd, ".seam/prompts/review.md")]);
    const [command] = stage.agent.extensions.commands();
    expect(await command?.options.getArgumentCompletions?.("sk")).toEqual([
      { value: "skill", label: "skill" },
    ]);
    return stage;
  },
);

prove(
  "B",
  "timed-confirm",
  "in rpc mode an unanswered dialog resolves after its timeout, and when its signal fires",
  async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const sent: Readonly<Record<string, unknown>>[] = [];
    const rpc = new RpcUI((message) => void sent.push(message));
    const stage = await onSeam("timed-confirm", { ui: rpc.ui });
    const notified = () => sent.filter(({ method }) => method === "notify");
    const after = async (command: string, ms: number) => {
      const running = stage.agent.prompt(command);
      await vi.advanceTimersByTimeAsync(ms - 1);
      const before = notified().length;
      await vi.advanceTimersByTimeAsync(1);
      await running;
      expect(notified().length).toBe(before + 1);
      return notified().at(-1)?.message;
    };
    expect(await after("/timed", 5000)).toBe("Cancelled or timed out");
    expect(await after("/timed-select", 10_000)).toBe("Selection cancelled or timed out");
    expect(await after("/timed-signal", 5000)).toBe("Dialog timed out (auto-cancelled)");
    expect(sent.find(({ method }) => method === "confirm")).toMatchObject({ timeout: 5000 });
    const answered = stage.agent.prompt("/timed");
    await vi.advanceTimersByTimeAsync(1);
    rpc.answer({ id: sent.at(-1)?.id, confirmed: true });
    await answered;
    expect(notified().at(-1)?.message).toBe("Confirmed by user!");
    return stage;
  },
);

prove(
  "B",
  "rpc-demo",
  "all nine kinds of request are on the wire, answers are honoured",
  async () => {
    const sent: Readonly<Record<string, unknown>>[] = [];
    const input = new PassThrough();
    const say = (message: object) => void input.write(`${JSON.stringify(message)}\n`);
    const replies: Record<string, object> = {
      select: { value: "Allow" },
      confirm: { confirmed: false },
      input: { value: "forty-two" },
      editor: { value: "a\nb" },
    };
    const send = (message: unknown) => {
      // Over the wire: only what survives JSON counts.
      const line = JSON.parse(JSON.stringify(message)) as Readonly<Record<string, unknown>>;
      sent.push(line);
      const reply = line.type === "extension_ui_request" && replies[String(line.method)];
      if (reply) say({ type: "extension_ui_response", id: line.id, ...reply });
    };
    const rpc = new RpcUI(send);
    const stage = await onSeam("rpc-demo", {
      turns: calling("bash", rm),
      files: { "victim/a": "" },
      ui: rpc.ui,
    });
    const running = runRpc(stage.agent, rpc, input, send);
    const notified = (text: string) =>
      vi.waitFor(() => expect(sent.map(({ message }) => message)).toContain(text));
    say({ type: "prompt", message: "Clean up." });
    await notified("Command allowed");
    await vi.waitFor(() => expect(sent.map(({ type }) => type)).toContain("agent_settled"));
    say({ type: "prompt", message: "/rpc-input" });
    await notified("You entered: forty-two");
    say({ type: "prompt", message: "/rpc-editor" });
    await notified("Editor submitted (2 lines)");
    say({ type: "prompt", message: "/rpc-prefill" });
    await notified("Editor prefilled");
    say({ id: "n", type: "new_session" });
    await notified("Clear cancelled");
    await vi.waitFor(() => expect(sent).toContainEqual(expect.objectContaining({ id: "n" })));
    input.end();
    await running;
    const requests = sent.filter(({ type }) => type === "extension_ui_request");
    const kinds = new Set(requests.map(({ method }) => method));
    expect([...kinds].sort()).toEqual(
      "select confirm input editor notify setStatus setWidget setTitle set_editor_text"
        .split(" ")
        .sort(),
    );
    expect(requests).toContainEqual(
      expect.objectContaining({
        method: "setWidget",
        widgetKey: "rpc-demo",
        widgetLines: ["--- RPC Extension UI Demo ---", "Loaded and ready."],
      }),
    );
    expect(requests).toContainEqual(
      expect.objectContaining({ method: "editor", prefill: "Line 1\nLine 2\nLine 3" }),
    );
    expect(sent.find(({ id }) => id === "n")).toMatchObject({ data: { cancelled: true } });
    expect(existsSync(join(stage.cwd, "victim"))).toBe(false);
    return stage;
  },
);

prove(
  "B",
  "status-line",
  "a status at the start and two per turn, drawn with the theme",
  async () => {
    const stage = await onSeam("status-line", { turns: [{ text: "Hi." }], answers: [] });
    await stage.prompt("Hello.");
    const drawn = stage.person.statuses.map(([key, text]) => [key, plain([text ?? ""])]);
    expect(drawn).toEqual([
      ["status-demo", "Ready"],
      ["status-demo", "● Turn 1..."],
      ["status-demo", "✓ Turn 1 complete"],
    ]);
    const alone = await onSeam("status-line", { turns: [{ text: "Hi." }] });
    await alone.prompt("Hello.");
    return [stage, alone];
  },
);

prove("B", "model-status", "a status and a notification when the model changes", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const stage = await onSeam("model-status", { answers: [] });
  const model: Model = {
    ...(stage.agent.model ?? stage.models.resolve("scripted/script")),
    provider: "anthropic",
    id: "other",
  };
  expect(await stage.agent.setModel(model)).toBe(false);
  stage.models.register("anthropic", { apiKey: "key" });
  expect(await stage.agent.setModel(model)).toBe(true);
  await stage.idle();
  expect(stage.notifications()).toEqual(["Model: anthropic/other"]);
  expect(stage.person.statuses).toEqual([["model", "🤖 other"]]);
  expect(log).toHaveBeenCalledWith("[model_select] scripted/script → anthropic/other (set)");
  return stage;
});

prove("B", "widget-placement", "two widgets, above and below the editor", async () => {
  const stage = await onSeam("widget-placement", { answers: [] });
  expect(Object.fromEntries(stage.person.seen.widgets)).toEqual({
    "widget-above": ["Above editor widget"],
    "widget-below": ["Below editor widget"],
  });
  expect(stage.person.placements.get("widget-below")).toBe("belowEditor");
  const alone = await onSeam("widget-placement");
  return [stage, alone];
});

prove("B", "titlebar-spinner", "the title spins while the agent runs and is restored", async () => {
  const stage = await onSeam("titlebar-spinner", {
    turns: [{ text: "Hi.", delayMs: 600 }],
    answers: [],
  });
  await stage.prompt("Hello.");
  const name = stage.cwd.split("/").at(-1);
  const titles = stage.person.seen.titles;
  expect(titles).toContain(`⠋ π - ${name}`);
  expect(titles).toContain(`⠙ π - ${name}`);
  expect(titles.at(-1)).toBe(`π - ${name}`);
  const count = titles.length;
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(stage.person.seen.titles).toHaveLength(count);
  return stage;
});

prove("B", "hidden-thinking-label", "the command changes the label that is set", async () => {
  const stage = await onSeam("hidden-thinking-label", { answers: [] });
  await stage.prompt("/thinking-label Weighing...");
  await stage.prompt("/thinking-label");
  expect(stage.person.thinkingLabels).toEqual(["Pondering...", "Weighing...", undefined]);
  return stage;
});

prove("B", "working-indicator", "the command changes the indicator that is set", async () => {
  const stage = await onSeam("working-indicator", { answers: [] });
  await stage.prompt("/working-indicator none");
  await stage.prompt("/working-indicator reset");
  await stage.prompt("/working-indicator");
  const [start, none, reset] = stage.person.indicators;
  expect(start?.frames).toHaveLength(10);
  expect(none).toEqual({ frames: [] });
  expect(reset).toBeUndefined();
  expect(stage.notifications().at(-1)).toBe("Working indicator: pi default spinner");
  const alone = await onSeam("working-indicator");
  return [stage, alone];
});

prove("B", "working-message-test", "message and indicator are set at the start", async () => {
  const stage = await onSeam("working-message-test", { answers: [] });
  expect(plain([stage.person.workingMessages[0] ?? ""])).toBe("Working... (custom)");
  expect(stage.person.indicators[0]?.frames).toHaveLength(1);
  return stage;
});
