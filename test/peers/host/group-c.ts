/** Examples that ask models themselves or choose among them. */
import { expect } from "vitest";
import { prove } from "./proofs.ts";
import { scriptedProvider } from "./provider.ts";
import { KEYS, plain } from "./screen.ts";
import { onSeam, projectDir, textOf } from "./stage.ts";

prove(
  "C",
  "custom-compaction",
  "the compaction entry has its summary and fromHook; without a key the usual path is taken",
  async () => {
    const flash = scriptedProvider("google", "gemini-2.5-flash", [{ text: "All about wool." }]);
    const turns = [{ text: "One." }, { text: "Two." }];
    const stage = await onSeam("custom-compaction", {
      turns,
      models: flash.addTo,
      keepRecentTokens: 3,
      answers: [],
    });
    await stage.prompt("First.");
    await stage.prompt("Second.");
    await stage.agent.compact();
    const entry = stage.entries().at(-1);
    expect(entry).toMatchObject({
      type: "compaction",
      summary: "All about wool.",
      fromHook: true,
    });
    expect(flash.keys).toEqual(["secret"]);
    expect(textOf(flash.requests[0]?.messages[0]?.content)).toContain("First.");
    expect(stage.agent.session.buildContext().messages[0]).toMatchObject({
      role: "compactionSummary",
      summary: "All about wool.",
    });
    const keyless = await onSeam("custom-compaction", {
      turns: [...turns, { text: "The usual summary." }],
      keepRecentTokens: 3,
      answers: [],
    });
    await keyless.prompt("First.");
    await keyless.prompt("Second.");
    await keyless.agent.compact();
    const usual = keyless.entries().at(-1);
    expect(usual).toMatchObject({ type: "compaction", summary: "The usual summary." });
    expect(usual).not.toHaveProperty("fromHook");
    return [stage, keyless];
  },
);

prove(
  "C",
  "handoff",
  "the prompt is generated, edited, and waits in a new session that knows its parent",
  async () => {
    const weaver = scriptedProvider("peer", "weaver", [
      { text: "We chose wool." },
      { text: "## Context\nWool.\n## Task\nWeave." },
    ]);
    const stage = await onSeam("handoff", {
      models: weaver.addTo,
      use: "peer/weaver",
      answers: ["Weave with wool."],
      keys: [[]],
    });
    await stage.prompt("Which yarn?");
    const parent = stage.sessionFile();
    await stage.prompt("/handoff now weave");
    const [asked] = weaver.requests.slice(1);
    expect(asked?.systemPrompt).toContain("context transfer assistant");
    expect(textOf(asked?.messages[0]?.content)).toContain("We chose wool.");
    expect(textOf(asked?.messages[0]?.content)).toContain("now weave");
    expect(plain(stage.person.shown[0]?.frames[0] ?? [])).toContain("Generating handoff prompt");
    expect(stage.person.prefills).toEqual(["## Context\nWool.\n## Task\nWeave."]);
    expect(stage.sessionFile()).not.toBe(parent);
    expect(stage.agent.session.getHeader().parentSession).toBe(parent);
    expect(stage.person.seen.editorText).toBe("Weave with wool.");
    expect(stage.notifications()).toEqual(["Handoff ready. Submit when ready."]);
    const alone = await onSeam("handoff", { turns: [{ text: "Hi." }] });
    await alone.prompt("/handoff now weave");
    expect(alone.entries()).toEqual([]);
    return [stage, alone];
  },
);

prove("C", "qna", "the questions of the last answer are in the editor", async () => {
  const weaver = scriptedProvider("peer", "weaver", [
    { text: "Wool or silk?" },
    { text: "Q: Wool or silk?\nA: " },
  ]);
  const stage = await onSeam("qna", {
    models: weaver.addTo,
    use: "peer/weaver",
    answers: [],
    keys: [[]],
  });
  await stage.prompt("Weave.");
  await stage.prompt("/qna");
  expect(textOf(weaver.requests[1]?.messages[0]?.content)).toBe("Wool or silk?");
  expect(plain(stage.person.shown[0]?.frames[0] ?? [])).toContain("Extracting questions");
  expect(stage.person.seen.editorText).toBe("Q: Wool or silk?\nA: ");
  return stage;
});

prove("C", "summarize", "the summary is drawn as Markdown, and Enter closes it", async () => {
  const gpt = scriptedProvider("openai", "gpt-5.2", [{ text: "# Goals\n- weave **wool**" }]);
  const stage = await onSeam("summarize", {
    turns: [{ text: "We chose wool." }],
    models: gpt.addTo,
    answers: [],
    keys: [["x", KEYS.enter]],
  });
  await stage.prompt("Which yarn?");
  await stage.prompt("/summarize");
  const prompt = textOf(gpt.requests[0]?.messages[0]?.content);
  expect(prompt).toContain("User: Which yarn?");
  expect(prompt).toContain("Assistant: We chose wool.");
  const drawn = plain(stage.person.shown[0]?.frames[0] ?? []);
  expect(drawn).toContain("Conversation Summary");
  expect(drawn).toContain("Goals");
  expect(drawn).toContain("weave wool");
  return stage;
});

const PRESETS = {
  plan: {
    provider: "peer",
    model: "weaver",
    thinkingLevel: "high",
    tools: ["read", "grep", "nonsense"],
    instructions: "You are in PLANNING MODE.",
  },
};
const presetFile = () => ({ [`${projectDir()}/presets.json`]: JSON.stringify(PRESETS) });

prove(
  "C",
  "preset",
  "--preset applies model, thinking level, tools and instructions; resumed, it keeps its name",
  async () => {
    const weaver = scriptedProvider("peer", "weaver", [{ text: "Planned." }]);
    const stage = await onSeam("preset", {
      models: weaver.addTo,
      use: false,
      flags: { preset: "plan" },
      files: presetFile(),
      answers: [],
    });
    expect(stage.agent.model).toMatchObject({ provider: "peer", id: "weaver" });
    expect(stage.agent.thinkingLevel).toBe("high");
    expect(stage.notifications()).toEqual([
      'Preset "plan": Unknown tools: nonsense',
      'Preset "plan" activated',
    ]);
    await stage.prompt("Plan.");
    expect(weaver.requests[0]?.tools?.map(({ name }) => name)).toEqual(["read", "grep"]);
    expect(weaver.requests[0]?.systemPrompt).toContain("You are in PLANNING MODE.");
    await stage.agent.dispose();
    const later = scriptedProvider("peer", "weaver", [{ text: "Planned." }]);
    const resumed = await onSeam("preset", {
      models: later.addTo,
      use: false,
      cwd: stage.cwd,
      resume: stage.sessionFile(),
      answers: [],
    });
    expect(plain([resumed.person.seen.statuses.get("preset") ?? ""])).toBe("preset:plan");
    expect(resumed.agent.model).toMatchObject({ id: "weaver" });
    await resumed.prompt("Go on.");
    expect(later.requests[0]?.systemPrompt).toContain("You are in PLANNING MODE.");
    return [stage, resumed];
  },
);

prove(
  "C",
  "preset",
  "the picker applies one with Enter; the shortcut cycles back to what was before",
  async () => {
    const weaver = scriptedProvider("peer", "weaver", []);
    const stage = await onSeam("preset", {
      models: weaver.addTo,
      files: presetFile(),
      answers: [],
      keys: [[KEYS.down, KEYS.up, KEYS.enter]],
    });
    const before = stage.agent.model?.id;
    await stage.prompt("/preset");
    expect(plain(stage.person.shown[0]?.frames[0] ?? [])).toContain("Select Preset");
    expect(stage.agent.model?.id).toBe("weaver");
    stage.agent.extensions.shortcuts()[0]?.run();
    await stage.idle();
    expect(stage.agent.model?.id).toBe(before);
    expect(stage.agent.thinkingLevel).toBe("off");
    expect(stage.notifications().at(-1)).toBe("Preset cleared, defaults restored");
    return stage;
  },
);
