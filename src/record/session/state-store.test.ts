import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { newState } from "./new-state.ts";
import type { SessionState } from "./state.ts";
import { type StateIO, StateStore } from "./state-store.ts";

const newDir = () => mkdtempSync(join(tmpdir(), "seam-states-"));
const AT = "2026-01-01T00:00:00.000Z";
const session = (id: string, more: Partial<SessionState> = {}): SessionState => ({
  ...newState({ session_id: id, agent: "claude-code", work_tree: "/w", worktree_id: "" }, AT),
  ...more,
});
const idsOf = (states: SessionState[]) => states.map(({ session_id }) => session_id).sort();

it("gives back what was put, also to the next process", () => {
  const dir = newDir();
  new StateStore(dir).put(session("a", { phase: "active" }));
  expect(new StateStore(dir).get("claude-code", "a")).toEqual(session("a", { phase: "active" }));
  expect(new StateStore(dir).get("codex", "a")).toBeUndefined();
});

it("lists only sessions a commit can belong to", () => {
  const dir = newDir();
  const store = new StateStore(dir);
  store.put(session("idle"));
  expect(existsSync(join(dir, "pending"))).toBe(false);
  const files = { "a.ts": { blob: "1", turn: "t" } };
  store.put(session("working", { phase: "active" }));
  store.put(session("waiting", { pending: { ...session("x").pending, files } }));
  expect(idsOf(new StateStore(dir).live())).toEqual(["waiting", "working"]);
  store.put(session("working"));
  store.put(session("waiting"));
  expect(existsSync(join(dir, "pending"))).toBe(false);
  expect(idsOf(store.all())).toEqual(["idle", "waiting", "working"]);
});

it("reads none of five hundred past sessions to find the live ones", () => {
  const dir = newDir();
  const store = new StateStore(dir);
  store.put(session("live", { phase: "active" }));
  for (let i = 0; i < 500; i++) store.put(session(`past-${i}`, { phase: "ended" }));
  expect(readFileSync(join(dir, "pending"), "utf8")).toBe("claude-code/live.json\n");
  // Whoever read them would notice.
  for (let i = 0; i < 500; i++) rmSync(join(dir, `sessions/claude-code/past-${i}.json`));
  expect(idsOf(new StateStore(dir).live())).toEqual(["live"]);
});

it("takes a damaged or missing file for no session", () => {
  const dir = newDir();
  const store = new StateStore(dir);
  store.put(session("a", { phase: "active" }));
  for (const text of ["", "{", "null", '{"version":"2"}', '{"version":1,"session_id":"a"}']) {
    writeFileSync(join(dir, "sessions/claude-code/a.json"), text);
    expect(new StateStore(dir).get("claude-code", "a")).toBeUndefined();
    expect(new StateStore(dir).live()).toEqual([]);
  }
  rmSync(join(dir, "sessions"), { recursive: true });
  expect(new StateStore(dir).all()).toEqual([]);
});

it("takes the file of a newer Seam for no session that could begin anew", () => {
  const dir = newDir();
  new StateStore(dir).put(session("a", { phase: "active" }));
  writeFileSync(join(dir, "sessions/claude-code/a.json"), '{"version":2}');
  expect(() => new StateStore(dir).get("claude-code", "a")).toThrow("newer Seam");
  expect(new StateStore(dir).live()).toEqual([]);
});

it("cannot be led out of its folder by an id", () => {
  const dir = newDir();
  const store = new StateStore(dir);
  for (const id of ["../../../evil", "a/b", "", ".", "a\nb", "ü".repeat(300)]) {
    store.put(session(id, { phase: "active" }));
    expect(new StateStore(dir).get("claude-code", id)?.session_id).toBe(id);
  }
  expect(new StateStore(dir).live()).toHaveLength(6);
  expect(existsSync(join(dirname(dir), "evil.json"))).toBe(false);
});

it("is whole after an end between any two writes", () => {
  const real: StateIO = {
    write: (path, text) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    },
    rename: renameSync,
    remove: (path) => rmSync(path, { force: true }),
  };
  const before = session("a");
  const steps: SessionState[] = [
    session("a", { phase: "active", turn_count: 1 }),
    session("a", { phase: "ended", turn_count: 2 }),
  ];
  for (const after of steps) {
    for (let last = 0; last < 8; last++) {
      const dir = newDir();
      new StateStore(dir).put(before);
      let calls = 0;
      const dying = Object.fromEntries(
        Object.entries(real).map(([name, call]) => [
          name,
          (...args: [never, never]) => {
            if (calls++ >= last) throw new Error("killed");
            call(...args);
          },
        ]),
      ) as unknown as StateIO;
      try {
        new StateStore(dir, dying).put(after);
      } catch {}
      const store = new StateStore(dir);
      expect([before, after]).toContainEqual(store.get("claude-code", "a"));
      const isActive = store.get("claude-code", "a")?.phase === "active";
      expect(store.live().length).toBe(isActive ? 1 : 0);
      store.put(after);
      expect(new StateStore(dir).get("claude-code", "a")).toEqual(after);
    }
  }
});

it("keeps in the list what another process put there, for as long as it is live", () => {
  const dir = newDir();
  const [one, two] = [new StateStore(dir), new StateStore(dir)];
  one.put(session("a", { phase: "active" }));
  two.live();
  one.put(session("b", { phase: "active" }));
  two.put(session("c", { phase: "active" }));
  expect(idsOf(new StateStore(dir).live())).toEqual(["a", "b", "c"]);
  one.put(session("a"));
  expect(idsOf(new StateStore(dir).live())).toEqual(["b", "c"]);
  one.put(session("b"));
  two.put(session("c"));
  // One that began before the other had anything knows nothing of it.
  expect(idsOf(new StateStore(dir).live())).toEqual([]);
  expect(readdirSync(dir)).not.toContain("pending.lock");
});

it("is not held up by the lock of a process that is gone", () => {
  const dir = newDir();
  writeFileSync(join(dir, "pending.lock"), `${spawnSync("true").pid}\n`);
  new StateStore(dir).put(session("a", { phase: "active" }));
  expect(idsOf(new StateStore(dir).live())).toEqual(["a"]);
  expect(existsSync(join(dir, "pending.lock"))).toBe(false);
});

it("a number that cannot be one makes a file damaged", () => {
  const dir = newDir();
  const store = new StateStore(dir);
  store.put(session("a", { phase: "active" }));
  const path = store.pathOf(session("a"));
  writeFileSync(path, readFileSync(path, "utf8").replace('"seq": -1', '"seq": 1e300'));
  expect(new StateStore(dir).get("claude-code", "a")).toBeUndefined();
});
