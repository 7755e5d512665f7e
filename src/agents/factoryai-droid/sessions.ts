import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { addTokens, noTokens, type TokenUsage } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
import type { AgentFolders } from "../agent.ts";
import { fileStore } from "../sessions/file-store.ts";
import { filesBelow } from "../sessions/found-transcript.ts";
import { isSafeId } from "../sessions/safe-id.ts";
import { count, type Json, parsed, record } from "../transcripts/json.ts";
import { transcript } from "./transcript.ts";

export const sessions = fileStore({
  agent: "factoryai-droid",
  format: transcript,
  dir,
  find: (place, sessionId) => join(dir(place), `${sessionId}.jsonl`),
  resumeCommand: (sessionId) => ["droid", "--resume", sessionId],
  totals: totalsOf,
  everywhere: async ({ home }) =>
    filesBelow(join(home, ".factory", "sessions"), 2, /\.jsonl$/).map(({ path, mark }) => ({
      ref: path,
      mark,
      sessionId: basename(path, ".jsonl"),
    })),
  async subagents(ref) {
    const ids = (await childIdsOf(ref)).filter(isSafeId);
    return ids
      .map((id) => ({ id, ref: join(dirname(ref), `${id}.jsonl`) }))
      .filter((child) => existsSync(child.ref));
  },
});

function dir({ project, home }: AgentFolders): string {
  return join(home, ".factory", "sessions", project.replace(/[/\\]/g, "-"));
}

/** Droid keeps what a session cost in `<id>.settings.json` beside `<id>.jsonl`. */
async function sidecarOf(ref: string): Promise<Json | undefined> {
  try {
    const value = parsed(await readFile(ref.replace(/\.jsonl$/, ".settings.json"), "utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What a session and its children used so far. How many calls that were is not kept there. */
async function totalsOf(ref: string): Promise<TokenUsage | undefined> {
  const sidecar = await sidecarOf(ref);
  if (!isRecord(sidecar?.tokenUsage)) return undefined;
  const own = tokensOf(sidecar.tokenUsage);
  const children = Object.values(record(sidecar.childInclusiveTokenUsageBySessionId));
  if (children.length === 0) return own;
  const below = children.map((usage) => tokensOf(record(usage))).reduce(addTokens, noTokens());
  return { ...own, subagent_tokens: below };
}

async function childIdsOf(ref: string): Promise<string[]> {
  const sidecar = await sidecarOf(ref);
  return Object.keys(record(sidecar?.childInclusiveTokenUsageBySessionId));
}

/** Cached input is counted apart from input. */
function tokensOf(usage: Json): TokenUsage {
  return {
    input_tokens: count(usage.inputTokens),
    cache_creation_tokens: count(usage.cacheCreationTokens),
    cache_read_tokens: count(usage.cacheReadTokens),
    output_tokens: count(usage.outputTokens),
    api_call_count: 0,
  };
}
