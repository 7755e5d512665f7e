import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newState } from "../../record/session/new-state.ts";
import { StateStore } from "../../record/session/state-store.ts";
import { asked, CLAUDE, searchPlace } from "../test-kit/place.ts";

it("calls that were stopped are found with the reason, and once, however often they are looked at", async () => {
  const place = searchPlace();
  const root = join(place.home, "app");
  mkdirSync(root, { recursive: true });
  execFileSync("git", ["init", "-q", root]);
  mkdirSync(join(place.seam, "repositories"));
  writeFileSync(
    join(place.seam, "repositories/x.json"),
    JSON.stringify({ repository: join(root, ".git"), workTree: root }),
  );
  place.write(`${CLAUDE}/a.jsonl`, asked("clean up"));
  const state = newState(
    { session_id: "a", agent: "claude-code", work_tree: root, worktree_id: "" },
    "2026-11-01T10:00:00.000Z",
  );
  const call = (about: string, at: string) => ({
    tool: "bash",
    about,
    at,
    reason: "no walrus",
    by: "gate",
  });
  const put = (...calls: ReturnType<typeof call>[]) =>
    new StateStore(join(root, ".git/seam")).put({
      ...state,
      pending: { ...state.pending, blocked_calls: calls },
    });
  const first = call("rm -rf /", "2026-11-01T10:00:02.000Z");
  put(first);
  const indexer = place.indexer();
  await indexer.pass();
  await indexer.pass();
  const { hits } = place.search("walrus", { stopped: true });
  expect(hits).toMatchObject([{ session: "a", role: "stop", tool: "bash", hits: 1 }]);
  expect(hits[0]?.snippet.text).toBe("bash rm -rf /: no walrus (gate)");
  expect(place.search("clean", { stopped: true }).hits).toEqual([]);
  put(first, call("rm -rf ~", "2026-11-01T10:00:03.000Z"));
  await indexer.pass();
  expect(place.search("", { stopped: true }).hits).toMatchObject([{ session: "a", hits: 2 }]);
});
