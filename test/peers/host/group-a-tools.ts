/** Examples that bring tools, commands and prompts, and need nobody to talk to. */
import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { anthropicAnswer, pretendNetwork } from "./network.ts";
import { prove } from "./proofs.ts";
import { calling, folder, isAbout, onSeam, projectDir, put, setEnv, textOf } from "./stage.ts";

prove("A", "hello", "the model calls hello: greeting and details come back", async () => {
  const stage = await onSeam("hello", { turns: calling("hello", { name: "Ada" }) });
  await stage.prompt("Greet Ada.");
  const [result] = stage.results();
  expect(textOf(result?.content)).toBe("Hello, Ada!");
  expect(result).toMatchObject({ details: { greeted: "Ada" }, isError: false });
  expect(stage.asked[0]?.tools.map(({ name }) => name)).toContain("hello");
  return stage;
});

prove("A", "structured-output", "the run ends with the tool call, no further request", async () => {
  const input = { headline: "Tests", summary: "They pass.", actionItems: ["Ship"] };
  const stage = await onSeam("structured-output", { turns: calling("structured_output", input) });
  await stage.prompt("Sum up.");
  expect(stage.asked).toHaveLength(1);
  expect(stage.results()[0]).toMatchObject({ details: input, isError: false });
  expect(stage.agent.isIdle).toBe(true);
  return stage;
});

prove("A", "with-deps", 'parse_duration("2h") is 7200000, by npm package ms', async () => {
  const stage = await onSeam("with-deps", { turns: calling("parse_duration", { duration: "2h" }) });
  await stage.prompt("How long is 2h?");
  expect(textOf(stage.results()[0]?.content)).toBe("2h = 7200000 milliseconds");
  return stage;
});

prove(
  "A",
  "truncated-tool",
  "output is cut at 2000 lines, the full copy is where details say (grep stands in for rg)",
  async () => {
    const bin = folder("bin");
    put(join(bin, "rg"), '#!/bin/sh\nexec grep -rn "$3" "$4"\n');
    chmodSync(join(bin, "rg"), 0o755);
    setEnv({ PATH: `${bin}:${process.env.PATH}` });
    const lines = Array.from({ length: 3000 }, () => "pin").join("\n");
    const stage = await onSeam("truncated-tool", {
      turns: [
        { toolCalls: [{ name: "rg", arguments: { pattern: "pin" } }] },
        { toolCalls: [{ name: "rg", arguments: { pattern: "nowhere" } }] },
        { text: "Done." },
      ],
      files: { h: lines },
    });
    await stage.prompt("Find the pins.");
    const [cut, none] = stage.results();
    const details = cut?.details as { matchCount: number; fullOutputPath: string };
    onTestFinished(() => rmSync(dirname(details.fullOutputPath), { recursive: true }));
    expect(details.matchCount).toBe(3000);
    expect(readFileSync(details.fullOutputPath, "utf8").trim().split("\n")).toHaveLength(3000);
    expect(textOf(cut?.content)).toContain("showing 2000 of 3001 lines");
    expect(textOf(cut?.content)).toContain(details.fullOutputPath);
    expect(textOf(none?.content)).toBe("No matches found");
    return stage;
  },
);

prove(
  "A",
  "tool-override",
  "read of .env is refused, another file is read, both are in the access log",
  async () => {
    const stage = await onSeam("tool-override", {
      turns: [
        { toolCalls: [{ name: "read", arguments: { path: ".env" } }] },
        { toolCalls: [{ name: "read", arguments: { path: "a.txt" } }] },
        { text: "Done." },
      ],
      files: { ".env": "TOKEN=secret", "a.txt": "open" },
      answers: [],
    });
    await stage.prompt("Read both.");
    const [refused, read] = stage.results().map(({ content }) => textOf(content));
    expect(refused).toContain('Access denied: ".env"');
    expect(read).toBe("open");
    expect(JSON.stringify(stage.entries())).not.toContain("TOKEN=secret");
    await stage.prompt("/read-log");
    const log = readFileSync(join(stage.home, ".seam/read-access.log"), "utf8");
    expect(log).toMatch(/BLOCKED: .*\.env[\s\S]*ALLOWED: .*a\.txt/);
    expect(stage.notifications().join()).toContain("ALLOWED");
    return stage;
  },
);

prove("A", "bash-spawn-hook", "what the hook puts into the environment reaches bash", async () => {
  const home = folder("profile");
  setEnv({ HOME: home });
  const stage = await onSeam("bash-spawn-hook", {
    turns: calling("bash", { command: 'echo "hook $PI_SPAWN_HOOK, profile $FROM_PROFILE"' }),
  });
  put(join(stage.home, ".profile"), "FROM_PROFILE=read\n");
  await stage.prompt("Go.");
  expect(textOf(stage.results()[0]?.content)).toContain("hook 1, profile read");
  return stage;
});

prove(
  "A",
  "dynamic-tools",
  "tools registered at session start and by a command are in the next request and run",
  async () => {
    const stage = await onSeam("dynamic-tools", {
      turns: [
        { text: "Nothing yet." },
        {
          toolCalls: [
            { name: "echo_session", arguments: { message: "a" } },
            { name: "echo_late", arguments: { message: "b" } },
          ],
        },
        { text: "Done." },
      ],
      answers: [],
    });
    await stage.prompt("Hello.");
    await stage.prompt("/add-echo-tool echo_late");
    await stage.prompt("Now echo.");
    const names = stage.asked.map(({ tools }) => tools.map(({ name }) => name));
    expect(names[0]).toContain("echo_session");
    expect(names[0]).not.toContain("echo_late");
    expect(names[1]).toContain("echo_late");
    expect(stage.asked[1]?.system).toContain(
      "Echo back user-provided text with [echo_late] prefix",
    );
    expect(stage.results().map(({ content }) => textOf(content))).toEqual([
      "[session] a",
      "[echo_late] b",
    ]);
    expect(stage.notifications()).toEqual([
      "Registered dynamic tool: echo_session",
      "Registered dynamic tool: echo_late",
    ]);
    return stage;
  },
);

prove(
  "A",
  "dynamic-resources",
  "its skill is in the system prompt and its prompt template expands",
  async () => {
    const stage = await onSeam("dynamic-resources", { turns: [{ text: "Hi." }, { text: "Hi." }] });
    await stage.prompt("Hello.");
    expect(stage.asked[0]?.system).toContain("dynamic-resources");
    await stage.prompt("/dynamic");
    const said = textOf(stage.asked[1]?.messages.at(-1)?.content);
    expect(said).not.toContain("/dynamic");
    expect(said.length).toBeGreaterThan(20);
    return stage;
  },
);

prove("A", "event-bus", "what one handler emits another one hears, with its payload", async () => {
  const heard: unknown[] = [];
  const stage = await onSeam("event-bus", {
    answers: [],
    also: [
      { name: "listener", factory: (pi) => pi.events.on("my:notification", (x) => heard.push(x)) },
    ],
  });
  await stage.prompt("/emit ahoy");
  expect(stage.notifications()).toEqual([
    "Event from event-bus-example: Session started",
    "Event from /emit command: ahoy",
  ]);
  expect(heard).toContainEqual({ message: "ahoy", from: "/emit command" });
  return stage;
});

prove(
  "A",
  "protected-paths",
  "a write to .env becomes an error with the reason, the file is untouched; others are written",
  async () => {
    const write = (path: string) => ({ name: "write", arguments: { path, content: "new" } });
    const stage = await onSeam("protected-paths", {
      turns: [{ toolCalls: [write(".env"), write("ok.txt")] }, { text: "Done." }],
      files: { ".env": "old" },
      answers: [],
    });
    await stage.prompt("Write.");
    const [blocked, allowed] = stage.results();
    expect(blocked).toMatchObject({ isError: true });
    expect(textOf(blocked?.content)).toBe('Path ".env" is protected');
    expect(allowed).toMatchObject({ isError: false });
    expect(readFileSync(join(stage.cwd, ".env"), "utf8")).toBe("old");
    expect(readFileSync(join(stage.cwd, "ok.txt"), "utf8")).toBe("new");
    expect(stage.notifications()).toEqual(["Blocked write to protected path: .env"]);
    return stage;
  },
);

prove("A", "input-transform", '"?quick x" is rewritten; "ping" costs no model call', async () => {
  const stage = await onSeam("input-transform", { turns: [{ text: "Short." }], answers: [] });
  await stage.prompt("ping");
  expect(stage.asked).toEqual([]);
  expect(stage.entries()).toEqual([]);
  expect(stage.notifications()).toEqual(["pong"]);
  await stage.prompt("?quick What is TypeScript?");
  expect(textOf(stage.asked[0]?.messages.at(-1)?.content)).toBe(
    "Respond briefly in 1-2 sentences: What is TypeScript?",
  );
  return stage;
});

prove("A", "inline-bash", "!{command} is replaced by its output in the user message", async () => {
  const stage = await onSeam("inline-bash", {
    turns: [{ text: "I see." }],
    files: { "a.txt": "" },
    git: true,
    answers: [],
  });
  await stage.prompt("On !{git branch --show-current}: !{ls}. !{echo no >&2; exit 3}");
  const said = textOf(stage.asked[0]?.messages.at(-1)?.content);
  expect(said).toBe("On main: a.txt. no");
  expect(stage.notifications()[0]).toContain("Expanded 3 inline command(s)");
  expect(stage.notifications()[0]).toContain("exit code 3");
  return stage;
});

prove(
  "A",
  "pirate",
  "the system prompt has the addition only while the command has switched it on",
  async () => {
    const stage = await onSeam("pirate", {
      turns: [{ text: "Hi." }, { text: "Arr." }, { text: "Hi." }],
    });
    await stage.prompt("One.");
    await stage.prompt("/pirate");
    await stage.prompt("Two.");
    await stage.prompt("/pirate");
    await stage.prompt("Three.");
    expect(stage.asked.map(({ system }) => system.includes("PIRATE MODE"))).toEqual([
      false,
      true,
      false,
    ]);
    return stage;
  },
);

prove(
  "A",
  "prompt-customizer",
  "guidance follows the active tools and skills and respects what the user appended",
  async () => {
    let setTools: (names: string[]) => void = () => {};
    const stage = await onSeam("prompt-customizer", {
      turns: [{ text: "Hi." }, { text: "Hi." }],
      files: {
        ".claude/skills/weave/SKILL.md": "---\nname: weave\ndescription: Weaves.\n---\nWeave.\n",
      },
      appendSystemPrompt: "Mind the gap.",
      also: [
        {
          name: "switch",
          factory: (pi) => {
            setTools = (names) => pi.setActiveTools(names);
          },
        },
      ],
    });
    await stage.prompt("One.");
    setTools(["read"]);
    await stage.prompt("Two.");
    const [all, few] = stage.asked.map(({ system }) => system);
    const isOlder = isAbout("0.74.2");
    const rule = (tool: string) => (isOlder ? `Use the \`${tool}\` tool` : `- Use \`${tool}\``);
    expect(all).toContain(rule("write"));
    expect(all).toContain("Available skills: weave");
    expect(few).toContain(rule("read"));
    expect(few).not.toContain(rule("write"));
    if (!isOlder) expect(all).toContain("<tool_guidance>");
    // The older one repeats what the user appended.
    expect(all?.match(/Mind the gap\./g)?.length).toBe(isOlder ? 2 : 1);
    return stage;
  },
);

prove("A", "claude-rules", "the names of the rule files are in the system prompt", async () => {
  const stage = await onSeam("claude-rules", {
    turns: [{ text: "Hi." }],
    files: { ".claude/rules/testing.md": "Test.", ".claude/rules/api/names.md": "Name." },
    answers: [],
  });
  await stage.prompt("Hello.");
  expect(stage.asked[0]?.system).toContain("- .claude/rules/testing.md");
  expect(stage.asked[0]?.system).toContain("- .claude/rules/api/names.md");
  expect(stage.notifications()).toEqual(["Found 2 rule(s) in .claude/rules/"]);
  return stage;
});

prove("A", "provider-payload", "its log holds the request as sent and the status", async () => {
  const stage = await onSeam("provider-payload", {
    turns: [{ text: "Hi." }],
    files: { [`${projectDir()}/.keep`]: "" },
  });
  await stage.prompt("Log me.");
  const file = join(stage.cwd, projectDir(), "provider-payload.log");
  expect(existsSync(file)).toBe(true);
  const log = readFileSync(file, "utf8");
  expect(log).toContain("Log me.");
  expect(log).toContain('"tools"');
  expect(log).toContain("[200] ");
  return stage;
});

prove(
  "A",
  "provider-payload",
  "asking Anthropic, the log holds the request in the provider's own form, status and headers",
  async () => {
    const calls = pretendNetwork(() => anthropicAnswer({ text: "Hi." }));
    setEnv({ ANTHROPIC_API_KEY: "sk-test" });
    const stage = await onSeam("provider-payload", {
      files: { [`${projectDir()}/.keep`]: "" },
      use: "anthropic/claude-sonnet-4-5",
    });
    await stage.prompt("Log me.");
    const log = readFileSync(join(stage.cwd, projectDir(), "provider-payload.log"), "utf8");
    const [payload = "", answer] = log.split("\n\n[");
    expect(JSON.parse(payload)).toEqual(JSON.parse(calls[0]?.body ?? ""));
    expect(JSON.parse(payload)).toMatchObject({ model: "claude-sonnet-4-5", stream: true });
    expect(answer).toContain('200] {"content-type":"text/event-stream"');
    return stage;
  },
);
