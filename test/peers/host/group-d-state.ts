/** Examples with components whose state and results do not need a terminal. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { RENDER_HINTS } from "../../../src/extensions/index.ts";
import { visibleWidth } from "../../../src/terminal/index.ts";
import { prove } from "./proofs.ts";
import { KEYS, plain } from "./screen.ts";
import { calling, onSeam, type Stage, textOf } from "./stage.ts";

const UNAVAILABLE = "Error: UI not available (running in non-interactive mode)";

/** What the extension's renderers make of a call and its result, 80 columns wide. */
export function drawn(stage: Stage, index: number, expanded = false): string {
  const result = stage.results()[index];
  const found = stage.agent.extensions.tools().find(({ tool }) => tool.name === result?.toolName);
  if (!result || !found) throw new Error("There is no such result.");
  const call = stage.events.find(
    (event) => event.type === "tool_execution_start" && event.toolCallId === result.toolCallId,
  );
  const args = call?.type === "tool_execution_start" ? call.args : {};
  const context = {
    args,
    toolCallId: result.toolCallId,
    ...RENDER_HINTS,
    durationMs: undefined,
    invalidate: () => {},
    lastComponent: undefined,
    state: {},
    cwd: stage.cwd,
    executionStarted: true,
    argsComplete: true,
    isPartial: false,
    expanded,
    showImages: false,
    isError: result.isError,
  };
  const { theme } = stage.person.ui;
  const lines = [
    ...(found.tool.renderCall?.(args, theme, context).render(80) ?? []),
    ...(found.tool
      .renderResult?.(result, { expanded, isPartial: false }, theme, context)
      .render(80) ?? []),
  ];
  for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(80);
  return plain(lines).replace(/ +$/gm, "");
}

const todo = (input: Record<string, unknown>) => ({
  toolCalls: [{ name: "todo", arguments: input }],
});

prove(
  "D",
  "todo",
  "the list follows the branch after navigateTree, and is back after a resume; both drawn",
  async () => {
    const stage = await onSeam("todo", {
      turns: [
        todo({ action: "add", text: "gather" }),
        { text: "Added." },
        todo({ action: "add", text: "weave" }),
        todo({ action: "toggle", id: 2 }),
        { text: "Added." },
        todo({ action: "list" }),
        { text: "Listed." },
      ],
      answers: [],
      keys: [[KEYS.escape]],
    });
    await stage.prompt("Gather.");
    const before = stage.agent.session.getLeafId() ?? "";
    await stage.prompt("Weave.");
    await stage.prompt("/todos");
    const open = plain(stage.person.shown[0]?.frames[0] ?? []);
    expect(open).toContain("1/2 completed");
    expect(open).toContain("✓ #2 weave");
    expect(await stage.agent.navigateTree(before)).toEqual({ cancelled: false });
    await stage.prompt("List.");
    const last = stage.results().at(-1);
    expect(textOf(last?.content)).toBe("[ ] #1: gather");
    expect(drawn(stage, 0)).toBe('todo add "gather"\n✓ Added #1 gather');
    expect(drawn(stage, 3)).toContain("1 todo(s):\n○ #1 gather");
    await stage.agent.dispose();
    const again = await onSeam("todo", {
      turns: [todo({ action: "list" }), { text: "Listed." }],
      cwd: stage.cwd,
      resume: stage.sessionFile(),
    });
    await again.prompt("List.");
    expect(textOf(again.results().at(-1)?.content)).toBe("[ ] #1: gather");
    return [stage, again];
  },
);

prove(
  "D",
  "tools",
  "a tool switched off is gone from the request; the choice follows the branch and a resume",
  async () => {
    const stage = await onSeam("tools", {
      turns: [{ text: "One." }, { text: "Two." }, { text: "Three." }],
      answers: [],
      keys: [[KEYS.enter, KEYS.escape]],
    });
    await stage.prompt("One.");
    const before = stage.agent.session.getLeafId() ?? "";
    await stage.prompt("/tools");
    expect(plain(stage.person.shown[0]?.frames[0] ?? [])).toContain("Tool Configuration");
    const [first = ""] = stage.asked[0]?.tools.map(({ name }) => name) ?? [];
    const configured = stage.agent.session.getLeafId() ?? "";
    await stage.prompt("Two.");
    const names = (request: number) => stage.asked[request]?.tools.map(({ name }) => name);
    expect(names(1)).not.toContain(first);
    expect(names(1)).toHaveLength((names(0)?.length ?? 0) - 1);
    await stage.agent.navigateTree(before);
    await stage.agent.navigateTree(configured);
    await stage.prompt("Three.");
    expect(names(2)).toEqual(names(1));
    await stage.agent.dispose();
    const again = await onSeam("tools", {
      turns: [{ text: "Four." }],
      cwd: stage.cwd,
      resume: stage.sessionFile(),
    });
    await again.prompt("Four.");
    expect(again.asked[0]?.tools.map(({ name }) => name)).toEqual(names(1));
    return [stage, again];
  },
);

prove(
  "D",
  "question",
  "nobody there: the result says so; otherwise keys choose an option or type an answer",
  async () => {
    const input = { question: "Which yarn?", options: [{ label: "wool" }, { label: "silk" }] };
    const alone = await onSeam("question", { turns: calling("question", input) });
    await alone.prompt("Ask.");
    expect(textOf(alone.results()[0]?.content)).toBe(UNAVAILABLE);
    const ask = { toolCalls: [{ name: "question", arguments: input }] };
    const stage = await onSeam("question", {
      turns: [ask, ask, { text: "Done." }],
      answers: [],
      keys: [
        [KEYS.down, KEYS.enter],
        [KEYS.down, KEYS.down, KEYS.enter, "h", "e", "m", "p", KEYS.enter],
      ],
    });
    await stage.prompt("Ask.");
    expect(plain(stage.person.shown[0]?.frames[0] ?? [])).toContain("Which yarn?");
    const [chosen, typed] = stage.results();
    expect(chosen?.details).toMatchObject({ answer: "silk", wasCustom: false });
    expect(typed?.details).toMatchObject({ answer: "hemp", wasCustom: true });
    expect(drawn(stage, 0)).toContain("silk");
    return [alone, stage];
  },
);

prove(
  "D",
  "questionnaire",
  "nobody there: the result says so; otherwise the answers of both tabs come back",
  async () => {
    const option = (value: string) => ({ value, label: value });
    const input = {
      questions: [
        { id: "yarn", prompt: "Which yarn?", options: [option("wool"), option("silk")] },
        { id: "color", prompt: "Which color?", options: [option("red"), option("blue")] },
      ],
    };
    const alone = await onSeam("questionnaire", { turns: calling("questionnaire", input) });
    await alone.prompt("Ask.");
    expect(textOf(alone.results()[0]?.content)).toBe(UNAVAILABLE);
    const stage = await onSeam("questionnaire", {
      turns: calling("questionnaire", input),
      answers: [],
      keys: [[KEYS.down, KEYS.enter, KEYS.enter, KEYS.enter]],
    });
    await stage.prompt("Ask.");
    expect(plain(stage.person.shown[0]?.frames[0] ?? [])).toContain("Which yarn?");
    expect(stage.results()[0]?.details).toMatchObject({
      cancelled: false,
      answers: [
        { id: "yarn", value: "silk" },
        { id: "color", value: "red" },
      ],
    });
    return [alone, stage];
  },
);

prove("D", "message-renderer", "the message is kept, and its renderer returns lines", async () => {
  const stage = await onSeam("message-renderer", { answers: [] });
  await stage.prompt("/status warn Loom is slow");
  const entry = stage.entries().at(-1);
  expect(entry).toMatchObject({
    type: "custom_message",
    customType: "status-update",
    content: "Loom is slow",
    details: { level: "warn" },
  });
  const message = stage.agent.session.buildContext().messages.at(-1);
  if (message?.role !== "custom") throw new Error("It is no custom message.");
  const render = stage.agent.extensions.renderer("status-update");
  const { theme } = stage.person.ui;
  const short = plain(
    render?.(message, { ...RENDER_HINTS, expanded: false }, theme)?.render(80) ?? [],
  );
  const long = plain(
    render?.(message, { ...RENDER_HINTS, expanded: true }, theme)?.render(80) ?? [],
  );
  expect(short).toContain("[WARN] Loom is slow");
  expect(short).not.toContain("  at ");
  expect(long).toContain("  at ");
  expect(stage.asked).toEqual([]);
  return stage;
});

const everyTool = [
  { name: "write", arguments: { path: "new.txt", content: "one\ntwo\n" } },
  { name: "edit", arguments: { path: "a.txt", edits: [{ oldText: "old", newText: "new" }] } },
  { name: "read", arguments: { path: "b.txt" } },
  { name: "bash", arguments: { command: "echo woven" } },
  { name: "grep", arguments: { pattern: "wool", path: "b.txt" } },
  { name: "find", arguments: { pattern: "b.*" } },
  { name: "ls", arguments: { path: "sub" } },
];

/** The same calls with the example and without any: what they return, and what it draws. */
async function besideBuiltin(example: string, count: number) {
  const calls = everyTool.slice(0, count);
  const options = {
    turns: [...calls.map((call) => ({ toolCalls: [call] })), { text: "Done." }],
    files: { "a.txt": "old\n", "b.txt": "wool\nsilk\n", "sub/c.txt": "" },
  };
  const plainOnes = await onSeam("session-name", options);
  await plainOnes.prompt("Go.");
  const stage = await onSeam(example, options);
  await stage.prompt("Go.");
  const returned = (one: Stage) =>
    one.results().map(({ toolName, content, details, isError }) => ({
      toolName,
      text: textOf(content).replaceAll(one.cwd, "."),
      details: JSON.stringify(details)?.replaceAll(one.cwd, "."),
      isError,
    }));
  expect(returned(stage)).toEqual(returned(plainOnes));
  expect(stage.results().map(({ isError }) => isError)).toEqual(calls.map(() => false));
  expect(readFileSync(join(stage.cwd, "a.txt"), "utf8")).toBe("new\n");
  return stage;
}

prove(
  "D",
  "built-in-tool-renderer",
  "results of the four tools are those of the built-in ones; calls and results are drawn",
  async () => {
    const stage = await besideBuiltin("built-in-tool-renderer", 4);
    expect(drawn(stage, 0)).toBe("write new.txt (3 lines)\nWritten");
    expect(drawn(stage, 1)).toBe("edit a.txt\n+1 / -1");
    expect(drawn(stage, 2)).toMatch(/^read b\.txt\n\d lines$/);
    expect(drawn(stage, 2, true)).toContain("silk");
    expect(drawn(stage, 3)).toMatch(/^\$ echo woven\ndone \(1 lines\)$/);
    return stage;
  },
);

prove(
  "D",
  "minimal-mode",
  "results of the seven tools are those of the built-in ones; collapsed only the call is drawn",
  async () => {
    const stage = await besideBuiltin("minimal-mode", 7);
    for (const [index, { name }] of everyTool.entries()) {
      const collapsed = drawn(stage, index);
      if (name === "bash") expect(collapsed).toContain("$ echo woven");
      else expect(collapsed).toContain(name);
    }
    expect(drawn(stage, 2)).not.toContain("silk");
    expect(drawn(stage, 2, true)).toContain("silk");
    return stage;
  },
);

prove(
  "D",
  "tic-tac-toe",
  "the calls of one answer run one after the other, so O lands where it should; X by keys",
  async () => {
    const act = (action: string) => ({ name: "tic_tac_toe", arguments: { action } });
    const stage = await onSeam("tic-tac-toe", {
      turns: [
        { toolCalls: [act("move_right"), act("move_right"), act("play")] },
        { text: "Your turn." },
      ],
      answers: [],
      keys: [[KEYS.enter, 2500, KEYS.escape]],
    });
    await stage.prompt("/tic-tac-toe");
    expect(stage.agent.session.getSessionName()).toBe("Tic-Tac-Toe");
    expect(stage.asked[0]?.system).toContain("## Tic-Tac-Toe (you are Player O)");
    const texts = stage.results().map(({ content }) => textOf(content));
    expect(texts.at(-1)).toContain("Placed O at (0,2)");
    expect(stage.results().at(-1)?.details).toMatchObject({
      board: [
        [" ", " ", "O"],
        [" ", "X", " "],
        [" ", " ", " "],
      ],
    });
    expect(drawn(stage, 2)).toContain("tic_tac_toe play");
    const move = stage.agent.session.buildContext().messages.find(({ role }) => role === "custom");
    if (move?.role !== "custom") throw new Error("The move is no custom message.");
    const render = stage.agent.extensions.renderer(move.customType);
    const options = { ...RENDER_HINTS, expanded: true };
    expect(plain(render?.(move, options, stage.person.ui.theme)?.render(80) ?? [])).toContain(
      "Player X played",
    );
    return stage;
  },
);
