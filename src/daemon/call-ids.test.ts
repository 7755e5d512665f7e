import { expect, it } from "vitest";
import { agentNamed } from "../agents/index.ts";
import { runHook, type TestPlace, testDaemon, testPlace, until } from "./test-kit/setup.ts";

const gemini = agentNamed("gemini");

/** The hooks around a call of an agent that gives calls no ids. */
function call(place: TestPlace, hook: "BeforeTool" | "AfterTool") {
  const payload = {
    session_id: "s1",
    cwd: place.project,
    hook_event_name: hook,
    tool_name: "run_shell_command",
    tool_input: { command: "ls" },
    ...(hook === "AfterTool" && { tool_response: { llmContent: "a.txt" } }),
  };
  return runHook(place, hook, payload, { agent: "gemini" });
}

it("calls that are alike have ids of their own, also after the daemon was started anew", async () => {
  if (!gemini) throw new Error("no Gemini");
  const place = testPlace();
  const seen: (string | undefined)[] = [];
  const rounds: ("BeforeTool" | "AfterTool")[][] = [
    ["BeforeTool", "AfterTool"],
    ["BeforeTool", "AfterTool", "BeforeTool"],
    // It began before.
    ["AfterTool", "BeforeTool", "AfterTool"],
  ];
  for (const hooks of rounds) {
    const daemon = await testDaemon(place, { agents: [gemini] });
    for (const hook of hooks) await call(place, hook);
    const { records } = daemon.recorder;
    await until(() => records.length >= hooks.length);
    seen.push(...records.map(({ reading }) => reading?.tools?.[0]?.callId));
    await daemon.stop();
  }
  const [a, a2, b, b2, c, c2, d, d2, ...rest] = seen;
  expect(rest).toEqual([]);
  expect([a2, b2, c2, d2]).toEqual([a, b, c, d]);
  expect(new Set([a, b, c, d]).size).toBe(4);
});
