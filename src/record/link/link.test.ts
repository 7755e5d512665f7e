import { describe, expect, it } from "vitest";
import { newState } from "../session/new-state.ts";
import type { SessionState } from "../session/state.ts";
import { type LinkInput, link } from "./link.ts";

const session = (
  id: string,
  files: Record<string, string | null>,
  more: Partial<SessionState> = {},
): SessionState => {
  const known = { session_id: id, agent: "pi", work_tree: "/w", worktree_id: "" };
  const state = newState(known, "2026-01-01T00:00:00.000Z");
  const touched = Object.entries(files).map(([path, blob]) => [path, { blob, turn: "t" }]);
  return {
    ...state,
    pending: { ...state.pending, files: Object.fromEntries(touched) },
    ...more,
  };
};
const linked = async (sessions: SessionState[], more: Partial<LinkInput> = {}) => {
  const found = await link({
    sessions,
    workTree: "/w",
    staged: new Map(),
    ancestors: [],
    holdsLinesOf: async () => false,
    ...more,
  });
  return found.map(({ session: { session_id }, why, paths }) => [session_id, why, ...paths]);
};
const AGENT = { pid: 7, started: "then" };
const ABOVE = { pid: 5, started: "before" };

describe("a commit an agent makes itself", () => {
  const maker = session("maker", {}, { owner: AGENT, phase: "active" });
  const other = session("other", { "a.ts": "1" }, { phase: "active" });

  it("belongs to that agent's session, and to those whose work it took along", async () => {
    const staged = new Map([["a.ts", "1"]]);
    expect(await linked([other, maker], { staged, ancestors: [AGENT] })).toEqual([
      ["maker", "process"],
      ["other", "content", "a.ts"],
    ]);
  });

  it("does not belong to others whose work is not in it", async () => {
    const staged = new Map([["b.ts", "1"]]);
    expect(await linked([other, maker], { staged, ancestors: [AGENT] })).toEqual([
      ["maker", "process"],
    ]);
  });

  it("has what came to be in its turn, unless only a tool of another session named it", async () => {
    const staged = new Map([["a.ts", "1"]]);
    const more = { staged, ancestors: [AGENT], isNewInTurn: async () => true };
    const named = { ...other, turn_files: ["a.ts"] };
    expect(await linked([other, maker], more)).toEqual([["maker", "process"]]);
    expect(await linked([named, maker], more)).toEqual([
      ["maker", "process"],
      ["other", "content", "a.ts"],
    ]);
    const both = { ...maker, turn_files: ["a.ts"] };
    expect(await linked([named, both], more)).toEqual([["maker", "process"]]);
  });

  it("belongs to the nearest agent when one started the other", async () => {
    const upper = session("upper", {}, { owner: ABOVE, phase: "active" });
    expect(await linked([upper, maker], { ancestors: [AGENT, ABOVE] })).toEqual([
      ["maker", "process"],
    ]);
  });

  it("is found from another work tree too", async () => {
    expect(await linked([maker], { workTree: "/other", ancestors: [AGENT] })).toHaveLength(1);
  });

  it("is not that of a process that merely has the same number", async () => {
    expect(await linked([maker], { ancestors: [{ pid: 7, started: "later" }] })).toEqual([]);
  });

  it("belongs to the session at work when one process had several", async () => {
    const old = session("old", {}, { owner: AGENT, last_seen_at: "2026-12-01" });
    expect(await linked([old, maker], { ancestors: [AGENT] })).toEqual([["maker", "process"]]);
  });
});

describe("a commit a person makes", () => {
  it("belongs to the sessions whose work is in it", async () => {
    const sessions = [
      session("a", { "a.ts": "1", "gone.ts": null }),
      session("b", { "b.ts": "2" }),
      session("open", {}, { phase: "active" }),
    ];
    const staged = new Map([
      ["a.ts", "1"],
      ["gone.ts", null],
      ["mine.ts", "9"],
    ]);
    expect(await linked(sessions, { staged })).toEqual([["a", "content", "a.ts", "gone.ts"]]);
  });

  it("belongs to none if an agent's file has other content by now", async () => {
    const staged = new Map([["a.ts", "2"]]);
    expect(await linked([session("a", { "a.ts": "1" })], { staged })).toEqual([]);
  });

  it("belongs to a session if a person went on with what it wrote", async () => {
    const staged = new Map([["a.ts", "2"]]);
    const holdsLinesOf = async () => true;
    expect(await linked([session("a", { "a.ts": "1" })], { staged, holdsLinesOf })).toHaveLength(1);
  });

  it("gives a file two sessions wrote to the later one", async () => {
    const staged = new Map([["a.ts", "1"]]);
    const early = session("early", { "a.ts": "1" }, { last_seen_at: "2026-01-01" });
    const late = session("late", { "a.ts": "1" }, { last_seen_at: "2026-01-02" });
    expect(await linked([early, late], { staged })).toEqual([["late", "content", "a.ts"]]);
  });

  it("belongs to both that wrote a file, if lines of both are in it", async () => {
    const staged = new Map([["a.ts", "2"]]);
    const early = session("early", { "a.ts": "1" }, { last_seen_at: "2026-01-01" });
    const late = session("late", { "a.ts": "2" }, { last_seen_at: "2026-01-02" });
    const both = [
      ["late", "content", "a.ts"],
      ["early", "content", "a.ts"],
    ];
    expect(await linked([early, late], { staged, holdsLinesOf: async () => true })).toEqual(both);
    expect(await linked([early, late], { staged })).toEqual([["late", "content", "a.ts"]]);
  });

  it("belongs to one of those that have a file alike, also if a person went on with it", async () => {
    const staged = new Map([["a.ts", "3"]]);
    const early = session("early", { "a.ts": "1" }, { last_seen_at: "2026-01-01" });
    const late = session("late", { "a.ts": "1" }, { last_seen_at: "2026-01-02" });
    const holdsLinesOf = async () => true;
    expect(await linked([early, late], { staged, holdsLinesOf })).toEqual([
      ["late", "content", "a.ts"],
    ]);
  });

  it("belongs to all whose tools wrote a file in turns that are still under way", async () => {
    const staged = new Map([["a.ts", "2"]]);
    const working = { phase: "active", turn_files: ["a.ts"] } as const;
    const sessions = [session("a", {}, working), session("b", {}, working)];
    const isNewInTurn = async () => true;
    expect(await linked(sessions, { staged, isNewInTurn })).toHaveLength(2);
  });

  it("in another work tree is not theirs", async () => {
    const staged = new Map([["a.ts", "1"]]);
    expect(await linked([session("a", { "a.ts": "1" })], { staged, workTree: "/x" })).toEqual([]);
  });

  it("does not take a deletion for a change", async () => {
    const staged = new Map([["a.ts", null]]);
    const holdsLinesOf = async () => true;
    expect(await linked([session("a", { "a.ts": "1" })], { staged, holdsLinesOf })).toEqual([]);
  });
});
