/** Examples about the session, its messages and its end. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, vi } from "vitest";
import { RpcUI, runRpc } from "../../../src/host/index.ts";
import { prove } from "./proofs.ts";
import { calling, git, onSeam, type Stage, textOf } from "./stage.ts";

prove("A", "session-name", "the name is a session_info entry and can be asked for", async () => {
  const stage = await onSeam("session-name", { answers: [] });
  await stage.prompt("/session-name");
  await stage.prompt("/session-name Weaving");
  await stage.prompt("/session-name");
  expect(stage.notifications()).toEqual([
    "No session name set",
    "Session named: Weaving",
    "Session: Weaving",
  ]);
  expect(stage.entries()).toMatchObject([{ type: "session_info", name: "Weaving" }]);
  return stage;
});

prove("A", "bookmark", "a label entry on the last answer; unbookmark takes it away", async () => {
  const stage = await onSeam("bookmark", { turns: [{ text: "Hi." }], answers: [] });
  await stage.prompt("Hello.");
  const answer = stage.entries().at(-1);
  await stage.prompt("/bookmark here");
  expect(stage.entries().at(-1)).toMatchObject({
    type: "label",
    targetId: answer?.id,
    label: "here",
  });
  expect(stage.agent.session.getLabel(answer?.id ?? "")).toBe("here");
  await stage.prompt("/unbookmark");
  expect(stage.agent.session.getLabel(answer?.id ?? "")).toBeUndefined();
  return stage;
});

prove(
  "A",
  "send-user-message",
  "idle it starts a turn; busy, steering comes before the next step and a follow-up at the end",
  async () => {
    const stage = await onSeam("send-user-message", {
      turns: [
        { text: "Four." },
        { toolCalls: [{ name: "bash", arguments: { command: "sleep 1" } }] },
        { text: "Steered." },
        { text: "Followed." },
      ],
      answers: [],
    });
    await stage.prompt("/ask What is 2+2?");
    expect(stage.asked).toHaveLength(1);
    expect(textOf(stage.asked[0]?.messages.at(-1)?.content)).toBe("What is 2+2?");
    const working = stage.agent.prompt("Work.");
    await vi.waitFor(() =>
      expect(stage.events.map(({ type }) => type)).toContain("tool_execution_start"),
    );
    await stage.agent.prompt("/ask too early");
    await stage.agent.prompt("/followup And then?");
    await stage.agent.prompt("/steer Look there");
    expect(stage.agent.queue.list().map(({ kind }) => kind)).toEqual(["followUp", "steer"]);
    await working;
    await stage.idle();
    const users = stage.agent.session
      .buildContext()
      .messages.flatMap((message) => (message.role === "user" ? [textOf(message.content)] : []));
    expect(users).toEqual(["What is 2+2?", "Work.", "Look there", "And then?"]);
    expect(stage.notifications()).toEqual([
      "Agent is busy. Use /steer or /followup instead.",
      "Follow-up queued",
    ]);
    return stage;
  },
);

prove("A", "file-trigger", "writing the file starts a turn with its text", async () => {
  const file = "/tmp/agent-trigger.txt";
  // The example knows no other place; an empty file may be left from a run that was killed.
  if (existsSync(file) && readFileSync(file, "utf8") !== "") throw new Error(`${file} is in use.`);
  writeFileSync(file, "");
  onTestFinished(() => rmSync(file));
  const stage = await onSeam("file-trigger", { turns: [{ text: "Running." }], answers: [] });
  expect(stage.notifications()).toEqual([`Watching ${file}`]);
  writeFileSync(file, "Run the tests");
  await vi.waitFor(() => expect(stage.asked).toHaveLength(1));
  await stage.idle();
  expect(textOf(stage.asked[0]?.messages.at(-1)?.content)).toBe("External trigger: Run the tests");
  expect(stage.entries()[0]).toMatchObject({ type: "custom_message", customType: "file-trigger" });
  expect(readFileSync(file, "utf8")).toBe("");
  return stage;
});

prove("A", "auto-commit-on-exit", "at the end, a commit with the last answer's text", async () => {
  const stage = await onSeam("auto-commit-on-exit", {
    turns: [
      { toolCalls: [{ name: "write", arguments: { path: "new.txt", content: "x" } }] },
      { text: "Wrote the new file." },
    ],
    git: true,
    answers: [],
  });
  await stage.prompt("Write.");
  await stage.agent.dispose();
  expect(git(stage.cwd, "log", "--format=%s")).toBe("[pi] Wrote the new file.\nstart");
  expect(git(stage.cwd, "status", "--porcelain")).toBe("");
  expect(stage.notifications()).toEqual(["Auto-committed: [pi] Wrote the new file."]);
  return stage;
});

prove(
  "A",
  "shutdown-command",
  "tool and command ask for the end; the turn is finished first, and rpc mode then returns",
  async () => {
    const stage = await onSeam("shutdown-command", {
      turns: [
        { toolCalls: [{ name: "deploy_and_exit", arguments: { environment: "test" } }] },
        { text: "Goodbye." },
      ],
    });
    await stage.prompt("Deploy.");
    expect(stage.agent.shutdownRequested).toBe(true);
    expect(stage.asked).toHaveLength(2);
    const updates = stage.events.filter(({ type }) => type === "tool_execution_update");
    expect(updates).toHaveLength(2);
    const command = await onSeam("shutdown-command");
    expect(await inRpcMode(command, "/quit")).toBe("ended");
    const tool = await onSeam("shutdown-command", { turns: calling("finish_and_exit", {}) });
    expect(await inRpcMode(tool, "Finish.")).toBe("ended");
    expect(tool.asked).toHaveLength(2);
    return [stage, command, tool];
  },
);

prove(
  "A",
  "reload-runtime",
  "the command loads the extensions anew; the tool queues its text, as in Pi 0.74.2",
  async () => {
    const stage = await onSeam("reload-runtime", {
      turns: [...calling("reload_runtime", {}), { text: "What?" }],
    });
    const before = stage.agent.extensions;
    await stage.prompt("/reload-runtime");
    expect(stage.agent.extensions).not.toBe(before);
    const reasons = stage.events.flatMap((event) =>
      event.type === "session_start" || event.type === "session_shutdown"
        ? [[event.type, event.reason]]
        : [],
    );
    expect(reasons).toEqual([
      ["session_shutdown", "reload"],
      ["session_start", "reload"],
    ]);
    await stage.prompt("Reload yourself.");
    expect(textOf(stage.results()[0]?.content)).toContain("Queued /reload-runtime");
    expect(textOf(stage.asked[2]?.messages.at(-1)?.content)).toBe("/reload-runtime");
    return stage;
  },
  "0.74.2",
);

prove(
  "A",
  "reload-runtime",
  "the command loads the extensions anew, and so does the tool once the agent is idle",
  async () => {
    const stage = await onSeam("reload-runtime", { turns: calling("reload_runtime", {}) });
    const first = stage.agent.extensions;
    await stage.prompt("/reload-runtime");
    const second = stage.agent.extensions;
    expect(second).not.toBe(first);
    await stage.prompt("Reload yourself.");
    expect(textOf(stage.results()[0]?.content)).toContain("Reload requested");
    await expect.poll(() => stage.agent.extensions).not.toBe(second);
    // The tool ended the run, and the command never got to the model.
    expect(stage.asked).toHaveLength(1);
    return stage;
  },
  "1.5.0",
);

prove(
  "A",
  "trigger-compact",
  "crossing 100 000 tokens compacts, and so does the command: a compaction entry each",
  async () => {
    const stage = await onSeam("trigger-compact", {
      turns: [
        { text: "One.", usage: { input: 50_000, output: 10 } },
        { text: "Two.", usage: { input: 120_000, output: 10 } },
        { text: "Summary of all." },
        { text: "Three.", usage: { input: 100, output: 10 } },
        { text: "Summary again." },
      ],
      keepRecentTokens: 3,
      answers: [],
    });
    await stage.prompt("First.");
    expect(stage.entries().some(({ type }) => type === "compaction")).toBe(false);
    await stage.prompt("Second.");
    await vi.waitFor(() =>
      expect(stage.notifications()).toEqual(["Compaction started", "Compaction completed"]),
    );
    const [compaction] = stage.entries().filter(({ type }) => type === "compaction");
    expect(compaction).toMatchObject({ summary: expect.stringContaining("Summary of all.") });
    await stage.prompt("Third.");
    await stage.prompt("/trigger-compact briefly");
    await vi.waitFor(() =>
      expect(stage.notifications().filter((text) => text === "Compaction completed")).toHaveLength(
        2,
      ),
    );
    return stage;
  },
);

prove("A", "system-prompt-header", "the status carries the system prompt's length", async () => {
  const stage = await onSeam("system-prompt-header", { turns: [{ text: "Hi." }], answers: [] });
  await stage.prompt("Hello.");
  const length = stage.asked[0]?.system.length;
  expect(stage.person.statuses).toEqual([["system-prompt", `System: ${length} chars`]]);
  await stage.agent.dispose();
  expect(stage.person.statuses.at(-1)).toEqual(["system-prompt", undefined]);
  return stage;
});

prove("A", "notify", "OSC 777 is written when the agent is done", async () => {
  const written: string[] = [];
  const stage = await onSeam("notify", { turns: [{ text: "Hi." }] });
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    written.push(String(chunk));
    return true;
  });
  onTestFinished(() => spy.mockRestore());
  await stage.prompt("Hello.");
  spy.mockRestore();
  expect(written.join("")).toContain("\u001b]777;notify;Pi;Ready for input\u0007");
  return stage;
});

/** Sends one prompt and keeps the input open: the client does not know that it is over. */
async function inRpcMode({ agent }: Stage, message: string): Promise<string> {
  const input = new PassThrough();
  const running = runRpc(agent, new RpcUI(() => {}), input, () => {});
  input.write(`${JSON.stringify({ type: "prompt", message })}\n`);
  const ended = await Promise.race([
    running.then(() => "ended"),
    new Promise<string>((resolve) => setTimeout(() => resolve("still running"), 2000)),
  ]);
  input.end();
  await running;
  return ended;
}
