import { expect, it } from "vitest";
import { agentNamed, eventsFor } from "../agents/index.ts";
import { createRedactor } from "./redact/index.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

it("a skill that Claude Code used is in the session's metadata, and nowhere else", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.prompt("Analyse it");
  const call = await claude.skill("trigger-analysis");
  await claude.write("a.ts", "export const a = 1;\n");
  await claude.stop();
  const id = (await shop.commitAll("Add a")) ?? "";
  const session: Record<string, unknown> = JSON.parse(shop.file(id, "0/metadata.json"));
  expect(session.skill_events_version).toBe(1);
  expect(session.skill_events).toEqual([
    {
      id: `claude-skill-${call}`,
      event_type: "tool_invocation",
      skill: { name: "trigger-analysis" },
      source: { agent: "claude-code", signal: "skill_tool_use", confidence: "explicit" },
      turn_id: session.turn_id,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      transcript_anchor: {
        unit: "line",
        start: 1,
        end: 2,
        entry_ids: [expect.stringMatching(/^entry-/)],
        tool_use_id: call,
      },
      native: { tool_name: "Skill", tool_use_id: call },
      collapse: {
        target: "tool_pair",
        label: "Skill: trigger-analysis",
        default_collapsed: true,
      },
    },
  ]);
  expect(shop.file(id, "metadata.json")).not.toContain("skill_events");
});

it("a skill that was typed in Pi is in the metadata, with the turn it started", async () => {
  const shop = await Workshop.open();
  const hooks = agentNamed("pi")?.hooks;
  const tell = async (hook: string, event: object) => {
    const row = hooks?.mapping[hook];
    const at = "2026-05-25T12:34:56Z";
    const ctx = { sessionId: "pi-session", cwd: shop.root };
    const reading = hooks?.read(hook, {
      event: { type: hook, ...event },
      ctx,
      at,
      seq: 0,
      id: "0",
    });
    if (!row || !reading) throw new Error(`no such hook: ${hook}`);
    const seq = shop.nextSeq();
    const events = eventsFor(row, reading).map(({ type }) => type);
    await shop.tell({ seq, id: `pi-${seq}`, at, agent: "pi", hook, reading, events, told: {} });
  };
  await tell("before_agent_start", { prompt: "Something before" });
  await tell("agent_end", { messages: [] });
  await tell("input", { text: "/skill:trigger-analysis now", source: "interactive" });
  await tell("before_agent_start", { prompt: "<skill …" });
  shop.write("a.ts", "export const a = 1;\n");
  const call = { toolName: "write", toolCallId: "c", input: { path: "a.ts", content: "" } };
  await tell("tool_call", call);
  await tell("tool_result", { ...call, content: [], isError: false });
  await tell("agent_end", { messages: [] });
  const id = (await shop.commitAll("Add a")) ?? "";
  const session: Record<string, unknown> = JSON.parse(shop.file(id, "0/metadata.json"));
  expect(session.agent).toBe("Pi");
  expect(session.skill_events).toEqual([
    {
      id: expect.stringMatching(/^pi-skill-trigger-analysis-2026-05-25T12:34:56Z/),
      event_type: "prompt_invocation",
      skill: { name: "trigger-analysis" },
      source: { agent: "pi", signal: "input_slash_command", confidence: "explicit" },
      turn_id: session.turn_id,
      timestamp: "2026-05-25T12:34:56Z",
      native: { command: "/skill:trigger-analysis" },
      collapse: {
        target: "user_message",
        label: "/skill:trigger-analysis",
        default_collapsed: true,
      },
    },
  ]);
});

/** Looks like a key of GitHub's and is none. */
const SECRET = `ghp_${"aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"}`;

it("a secret is in no object of the repository, and anchors still point at their lines", async () => {
  const redactor = createRedactor({});
  const shop = await Workshop.open({
    redactor: {
      redact: (lines) => redactor.redact(lines),
      text: (text) => redactor.text(text),
      document: async (content) => {
        const { bytes, report } = await redactor.redactJson(content);
        return { bytes, redactions: report };
      },
    },
  });
  const claude = await new FakeClaude(shop).start();
  await claude.prompt(`Use ${SECRET} please`);
  await claude.tool("Bash", { command: `curl -H 'x: ${SECRET}'` }, () => {}, {
    block: { reason: `Not with ${SECRET}`, by: "gate" },
  });
  const call = await claude.skill("greet");
  await claude.write("a.ts", "export const a = 1;\n");
  await claude.bash("git add . && git commit -q -m A");
  claude.say([{ type: "text", text: `It was ${SECRET}` }]);
  await claude.stop();
  const id = shop.idAt() ?? "";
  const session = JSON.parse(shop.file(id, "0/metadata.json"));
  expect(session.blocked_calls).toMatchObject([{ tool: "bash", by: "gate" }]);
  expect(session.redactions.length).toBeGreaterThan(0);
  const lines = shop.file(id, "0/full.jsonl").split("\n");
  const [{ transcript_anchor }] = session.skill_events;
  expect(lines[transcript_anchor.start]).toContain(`"id":"${call}"`);
  expect(lines[transcript_anchor.end]).toContain(`"tool_use_id":"${call}"`);
  for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  const all = shop.git("cat-file", "--batch", "--batch-all-objects", "--buffer");
  expect(all).toContain("Done.");
  expect(all).not.toContain(SECRET);
});

it("a skill that was read before its result was there reaches to that result", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.prompt("Release it");
  await claude.write("a.ts", "export const a = 1;\n");
  // A commit reads the transcript while the call is under way.
  const call = await claude.tool("Skill", { skill: "release" }, () =>
    claude.run("git add . && git commit -q -m A"),
  );
  await claude.stop();
  const id = shop.idAt() ?? "";
  const { skill_events } = JSON.parse(shop.file(id, "0/metadata.json"));
  expect(skill_events).toHaveLength(1);
  const [{ transcript_anchor }] = skill_events;
  const lines = shop.file(id, "0/full.jsonl").split("\n");
  expect(lines[transcript_anchor.start]).toContain(`"id":"${call}"`);
  expect(lines[transcript_anchor.end]).toContain(`"tool_use_id":"${call}"`);
});
