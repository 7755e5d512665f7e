import { describe, expect, it } from "vitest";
import type { SessionCard } from "../../src/view/api.ts";
import { fullness, grouped, isCalling, lately } from "./phases.ts";

const card = (more: Partial<SessionCard>): SessionCard => ({
  agent: "codex",
  agentType: "Codex",
  session: "s",
  cwd: "/shop",
  project: "shop",
  phase: "working",
  since: "",
  at: "",
  title: "Port the parser",
  unheard: 0,
  shown: [],
  can: { hold: true, say: "cannot", interrupt: "cannot" },
  ...more,
});

describe("the list of sessions", () => {
  it("begins with those that need a person, and has no empty groups", () => {
    const groups = grouped(
      [card({ phase: "quiet" }), card({ session: "a" }), card({ phase: "needs-you" })],
      { text: "" },
    );
    expect(groups.map(({ title, sessions }) => `${title} ${sessions.length}`)).toEqual([
      "Needs you 1",
      "Working 1",
      "Quiet 1",
    ]);
  });

  it("is narrowed down by words for agent, project, branch and title", () => {
    const sessions = [card({ branch: "perf" }), card({ agentType: "Gemini CLI", project: "api" })];
    const found = (text: string) => grouped(sessions, { text }).flatMap((group) => group.sessions);
    expect(found("codex PERF")).toHaveLength(1);
    expect(found("gemini perf")).toHaveLength(0);
    expect(found("parser")).toHaveLength(2);
  });
});

it("tells of a session what it does while it works, and what it said when it does not", () => {
  const words = { lastWords: "All tests pass.", lastCall: { tool: "bash", target: "npm test" } };
  expect(lately(card(words))).toBe("bash npm test");
  expect(lately(card({ ...words, phase: "done" }))).toBe("All tests pass.");
  expect(lately(card({ ...words, isHeld: true }))).toMatch(/^held/);
  expect(lately(card({ prompt: "Port the parser" }))).toBeUndefined();
  expect(lately(card({ prompt: "Now the lexer" }))).toBe("Now the lexer");
  expect(lately(card({ title: "Port the…", prompt: "Port the parser" }))).toBeUndefined();
  const read = { tool: "read", target: "/shop/src/a.ts" };
  expect(lately(card({ lastCall: read }))).toBe("read src/a.ts");
});

it("knows what is said in the words of a machine", () => {
  const lastCall = { tool: "bash", target: "npm test" };
  expect(isCalling(card({ lastCall }))).toBe(true);
  expect(isCalling(card({ lastCall, isHeld: true }))).toBe(false);
  expect(isCalling(card({ prompt: "Why?" }))).toBe(false);
});

it("does not guess how full a window of unknown size is", () => {
  expect(fullness({ tokens: 68_000, window: 200_000 })).toBe(34);
  expect(fullness({ tokens: 68_000 })).toBeUndefined();
});
