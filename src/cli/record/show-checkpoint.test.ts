import { expect, it, onTestFinished } from "vitest";
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

function shown(more: Partial<ShownSession>, about = {}, sessions = 1): string {
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
      ...about,
      checkpoints_count: 1,
      sessions: [],
    },
    sessions: [{ index: 0, metadata }],
  };
  return showCheckpoint(
    checkpoint,
    Array.from({ length: sessions }, () => session),
    { checkpoints: [checkpoint], by: "id" },
    { expand: false, root: "/" },
  ).join("\n");
}

it("the tokens of several sessions fit the terminal", () => {
  const columns = Object.getOwnPropertyDescriptor(process.stdout, "columns");
  const isTTY = Object.getOwnPropertyDescriptor(process.stdout, "isTTY");
  onTestFinished(() => {
    Object.defineProperty(process.stdout, "columns", columns ?? { value: undefined });
    Object.defineProperty(process.stdout, "isTTY", isTTY ?? { value: undefined });
  });
  Object.defineProperty(process.stdout, "columns", { value: 80, configurable: true });
  Object.defineProperty(process.stdout, "isTTY", { value: true, configurable: true });
  const some = { ...noTokens(), input_tokens: 800, output_tokens: 80, api_call_count: 8 };
  const token_usage = { ...some, subagent_tokens: some };
  const lines = shown({}, { token_usage }, 2).split("\n");
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines).toContain("tokens     800 in, 80 out, 8 model calls;");
  expect(lines).toContain("           subagents: 800 in, 80 out, 8 model calls");
});

it("of an agent that never says what it used, nothing is said to be none", () => {
  expect(shown({})).toContain("none for this commit");
  const text = shown({ metadata: { ...metadata, agent: "Cursor" } });
  expect(text).not.toContain("none for this commit");
  expect(text).toContain("not known: this agent does not write them down");
});

it("what an agent left after a commit of its turn names where the story is", () => {
  const where = `Told with an earlier commit: seam show ${metadata.session_id}`;
  expect(shown({})).toContain(where);
  // Nobody knows what happened, or nothing came before.
  expect(shown({ conversation: undefined })).not.toContain("Told with");
  const first = { ...metadata, checkpoint_transcript_start: 0 };
  expect(shown({ metadata: first })).not.toContain("Told with");
});
