import { expect, it } from "vitest";
import { noTokens } from "../../events/index.ts";
import { showCheckpoint } from "./show-checkpoint.ts";
import type { ShownSession } from "./shown-session.ts";

const metadata = {
  checkpoint_id: "a1b2c3d4e5f6",
  session_id: "0b1c2d3e-1111-4222-8333-444455556666",
  strategy: "agentseam",
  created_at: "2026-05-25T12:00:00.000Z",
  checkpoints_count: 1,
  files_touched: ["late.ts"],
  agent: "Claude Code",
  model: "",
  checkpoint_transcript_start: 12,
  token_usage: noTokens(),
};

function shown(more: Partial<ShownSession>): string {
  const session: ShownSession = {
    index: 0,
    metadata,
    at: metadata.created_at,
    prompt: "Write it",
    conversation: [],
    subagents: {},
    changedByOthers: [],
    ...more,
  };
  const checkpoint = {
    id: metadata.checkpoint_id,
    tree: "",
    metadata: {
      ...metadata,
      checkpoints_count: 1,
      sessions: [],
    },
    sessions: [{ index: 0, metadata }],
  };
  return showCheckpoint(
    checkpoint,
    [session],
    { checkpoints: [checkpoint], by: "id" },
    { expand: false, root: "/" },
  ).join("\n");
}

it("what an agent left after a commit of its turn names where the story is", () => {
  const where = `Told with an earlier commit: seam show ${metadata.session_id}`;
  expect(shown({})).toContain(where);
  // Nobody knows what happened, or nothing came before.
  expect(shown({ conversation: undefined })).not.toContain("Told with");
  const first = { ...metadata, checkpoint_transcript_start: 0 };
  expect(shown({ metadata: first })).not.toContain("Told with");
});
