import { expect, it } from "vitest";
import { agentNamed, NO_ANSWER } from "../../agents/index.ts";
import { unaskedAnswer, unreadAnswer } from "./unasked-hook.ts";

const CALL = {
  session_id: "s",
  cwd: "/",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
  tool_use_id: "1",
};

function asked(isClosed: boolean) {
  const noted: string[] = [];
  const agent = agentNamed("claude-code");
  const parts = {
    agents: new Map(agent ? [["claude-code", agent]] : []),
    closes: () => isClosed,
    unasked: (_: unknown, why: string, became: string) => noted.push(`${why} ${became}`),
  };
  const incoming = { id: "1", agent: "claude-code", text: "", at: "2026-01-01T00:00:00.000Z" };
  const hook = (name: string) => ({ ...incoming, hook: name, payload: CALL });
  return { parts, noted, hook };
}

it.each(["unread", "deadly", "failed"] as const)(
  "a call that nobody was asked about, because the hook was %s, is told either way",
  (why) => {
    const open = asked(false);
    const { stdout } = unaskedAnswer(open.parts, open.hook("PreToolUse"), why);
    expect(JSON.parse(stdout ?? "")).toMatchObject({
      systemMessage: expect.stringContaining("the call was not stopped"),
    });
    const closed = asked(true);
    const said = unaskedAnswer(closed.parts, closed.hook("PreToolUse"), why);
    expect(JSON.parse(said.stdout ?? "")).toMatchObject({
      hookSpecificOutput: { permissionDecision: "deny" },
    });
    expect([...open.noted, ...closed.noted]).toEqual([`${why} open`, `${why} closed`]);
  },
);

it("a hook that stops nothing, or that was read, is not told", () => {
  const { parts, noted, hook } = asked(true);
  expect(unaskedAnswer(parts, hook("Stop"), "failed")).toBe(NO_ANSWER);
  expect(unreadAnswer(parts, hook("PreToolUse"))).toBe(NO_ANSWER);
  expect(noted).toEqual([]);
});
