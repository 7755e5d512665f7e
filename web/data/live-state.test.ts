import { describe, expect, it } from "vitest";
import type { SessionCard } from "../../src/view/api.ts";
import { fresh, type LiveState, NOTHING, next, tidied } from "./live-state.ts";

const card = (session: string, more: Partial<SessionCard> = {}): SessionCard => ({
  agent: "codex",
  agentType: "Codex",
  session,
  cwd: "/home/me/shop",
  project: "shop",
  phase: "working",
  since: "2026-01-01T00:00:00Z",
  at: "2026-01-01T00:00:00Z",
  title: session,
  unheard: 0,
  shown: [],
  can: { hold: true, say: "next step", interrupt: "next step" },
  ...more,
});

const question = (id: string): LiveState["questions"][number] => ({
  id,
  agent: "codex",
  session: "s1",
  cwd: "/home/me/shop",
  at: "2026-01-01T00:00:00Z",
  method: "confirm",
  title: "Run this?",
  by: "permission-gate",
  otherwise: "it is denied",
});

describe("what is known of now", () => {
  const state = fresh(NOTHING, {
    sessions: [card("s1"), card("s2")],
    questions: [question("q1")],
    version: "1",
    host: "here",
  });

  it("keeps a session where it is when news of it come, and puts new ones first", () => {
    const moved = next(state, { type: "session", session: card("s2", { phase: "done" }) }, 0);
    expect(moved.sessions.map((one) => `${one.session} ${one.phase}`)).toEqual([
      "s1 working",
      "s2 done",
    ]);
    const more = next(moved, { type: "session", session: card("s3") }, 0);
    expect(more.sessions.map((one) => one.session)).toEqual(["s3", "s1", "s2"]);
  });

  it("keeps what happened while the server answered, whatever it did not know yet", () => {
    const old = { sessions: [card("s1")], questions: [question("q1")], version: "1", host: "here" };
    const settled = { value: "yes", who: "seam inbox" };
    const events = [
      { type: "asked", question: question("q2") },
      { type: "settled", id: "q1", question: question("q1"), settled },
    ] as const;
    const heard = events.reduce((before, event) => next(before, event, 0), state);
    const read = fresh(heard, old, events, 0);
    expect(read.questions.map(({ id }) => id)).toEqual(["q2"]);
    expect(read.answered).toHaveLength(1);
  });

  it("has a question once, however often it is asked", () => {
    const asked = next(state, { type: "asked", question: question("q1") }, 0);
    const twice = next(asked, { type: "asked", question: question("q2") }, 0);
    expect(twice.questions.map(({ id }) => id)).toEqual(["q1", "q2"]);
  });

  it("shows for a while who answered, and takes the question away at once", () => {
    const settled = { value: "yes", who: "seam inbox" };
    const event = { type: "settled", id: "q1", question: question("q1"), settled } as const;
    const after = next(state, event, 1_000);
    expect(after.questions).toEqual([]);
    expect(after.answered.map(({ text }) => text)).toEqual(["seam inbox answered “yes”"]);
    expect(next(after, event, 1_100)).toBe(after);
    expect(tidied(after, 2_000)).toBe(after);
    expect(tidied(after, 60_000).answered).toEqual([]);
  });

  it("says why a question is gone that nobody answered", () => {
    const settled = { cancelled: true, why: "the agent has ended" } as const;
    const event = { type: "settled", id: "q9", question: question("q9"), settled } as const;
    const after = next(state, event, 0);
    expect(after.answered.map(({ text }) => text)).toEqual(["the agent has ended"]);
    expect(after.questions).toEqual(state.questions);
  });

  it("marks a question that was put off", () => {
    const held = next(state, { type: "held", id: "q1", who: "the page" }, 0);
    expect(held.questions[0]?.isHeld).toBe(true);
  });

  it("shows what an extension shows beside its session, and takes it away again", () => {
    const shown = {
      type: "shown",
      agent: "codex",
      session: "s1",
      kind: "status",
      key: "k",
    } as const;
    const with1 = next(state, { ...shown, lines: ["3 left"] }, 0);
    expect(with1.sessions[0]?.shown).toEqual([{ kind: "status", key: "k", lines: ["3 left"] }]);
    expect(with1.sessions[1]?.shown).toEqual([]);
    expect(next(with1, shown, 0).sessions[0]?.shown).toEqual([]);
  });

  it("is not changed by events of kinds it does not know", () => {
    expect(next(state, { type: "reload" }, 0)).toBe(state);
  });
});
