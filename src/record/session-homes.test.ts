import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openRepo, type Repo } from "../git/index.ts";
import { init } from "../git/test-kit/index.ts";
import type { HookRecord } from "./recorder.ts";
import { openRepoRecord } from "./repo-record.ts";
import { SessionHomes } from "./session-homes.ts";
import { newFolder } from "./test-kit/project.ts";

function hook(event: string, cwd: string): HookRecord {
  const reading = { sessionId: "s", cwd, tools: [] };
  // Nothing else of a hook says where it belongs.
  return {
    agent: "claude-code",
    hook: event,
    events: [event],
    reading,
    cwd,
  } as unknown as HookRecord;
}

it("a session whose folder got another name is at home there, and never again where it was", async () => {
  const before = init();
  // Every repository of this user is recorded.
  const homes = new SessionHomes({
    recordedAt: (folder) => openRepo(folder),
    isRecorded: async () => true,
    statesOf: (repo: Repo) => openRepoRecord(repo).states,
  });
  expect((await homes.of(hook("session_start", before)))?.workTree).toBe(before);
  const after = join(newFolder(), "renamed");
  renameSync(before, after);
  // The agent goes by the name that it knew.
  expect(await homes.of(hook("tool_result", before))).toBeUndefined();
  expect((await homes.of(hook("tool_result", after)))?.workTree).toBe(after);
});
