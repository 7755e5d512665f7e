import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { LiveSessions } from "./live-sessions.ts";

function sessions() {
  const live = new LiveSessions({
    folder: mkdtempSync(join(tmpdir(), "live-")),
    questions: () => [],
    isHeld: () => false,
    isInterrupted: () => false,
    unheard: () => 0,
  });
  onTestFinished(() => live.close());
  const session = { agent: { name: "claude-code" }, id: "s1", cwd: "/p" };
  const ids = { sessionId: "s1", agent: "claude-code" };
  const phase = () => live.list()[0];
  return { live, session, ids, phase };
}

it("a session whose agent asks in its own terminal needs somebody until it goes on", () => {
  const { live, session, ids, phase } = sessions();
  const at = new Date().toISOString();
  const result = { type: "agent_start", ...ids } as const;
  live.heard({ session, reading: { sessionId: "s1" }, events: [result] }, at);
  expect(phase()).toMatchObject({ phase: "working" });
  const notice = { kind: "permission_prompt", text: "May I use Bash?", asks: true };
  live.heard({ session, reading: { sessionId: "s1", notice }, events: [] }, at);
  expect(phase()).toMatchObject({ phase: "needs-you", asks: "May I use Bash?" });
  live.heard({ session, reading: { sessionId: "s1" }, events: [result] }, at);
  expect(phase()).toMatchObject({ phase: "working" });
  expect(phase()?.asks).toBeUndefined();
});
