import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newState } from "../../record/session/new-state.ts";
import { StateStore } from "../../record/session/state-store.ts";
import { asked, CLAUDE, searchPlace } from "../test-kit/place.ts";

/** A repository that Seam records, with sessions whose calls were stopped. */
function recordedPlace() {
  const place = searchPlace();
  const root = join(place.home, "app");
  mkdirSync(root, { recursive: true });
  execFileSync("git", ["init", "-q", root]);
  mkdirSync(join(place.seam, "repositories"));
  writeFileSync(
    join(place.seam, "repositories/x.json"),
    JSON.stringify({ repository: join(root, ".git"), workTree: root }),
  );
  const put = (session_id: string, ...calls: ReturnType<typeof call>[]) => {
    const about = { session_id, agent: "claude-code", work_tree: root, worktree_id: "" };
    const state = newState(about, "2026-11-01T10:00:00.000Z");
    const pending = { ...state.pending, blocked_calls: calls };
    new StateStore(join(root, ".git/seam")).put({ ...state, pending });
  };
  return { ...place, root, put };
}

const call = (about: string, at: string) => ({
  tool: "bash",
  about,
  at,
  reason: "no walrus",
  by: "gate",
});

it("calls that were stopped are found with the reason, and once, however often they are looked at", async () => {
  const { put, ...place } = recordedPlace();
  place.write(`${CLAUDE}/a.jsonl`, asked("clean up"));
  const first = call("rm -rf /", "2026-11-01T10:00:02.000Z");
  put("a", first);
  const indexer = place.indexer();
  await indexer.pass();
  await indexer.pass();
  const { hits } = place.search("walrus", { stopped: true });
  expect(hits).toMatchObject([{ session: "a", role: "stop", tool: "bash", hits: 1 }]);
  expect(hits[0]?.snippet.text).toBe("bash rm -rf /: no walrus (gate)");
  expect(place.search("clean", { stopped: true }).hits).toEqual([]);
  put("a", first, call("rm -rf ~", "2026-11-01T10:00:03.000Z"));
  await indexer.pass();
  expect(place.search("", { stopped: true }).hits).toMatchObject([{ session: "a", hits: 2 }]);
});

it("a stopped call of a session without a transcript is found in the project of its repository", async () => {
  const { put, root, ...place } = recordedPlace();
  put("b", call("rm -rf /", "2026-11-01T10:00:02.000Z"));
  await place.indexer().pass();
  const found = (project: string) => place.search("walrus", { stopped: true, project }).hits;
  expect(found(root)).toMatchObject([{ session: "b", project: root }]);
  expect(found(join(root, "below"))).toEqual([]);
});
