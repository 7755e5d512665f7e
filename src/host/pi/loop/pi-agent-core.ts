import { convertToLlm, serializeConversation } from "../../../events/index.ts";
import type { Host } from "../../../extensions/index.ts";
import {
  DEFAULT_MAX_BYTES,
  DEFAULT_MAX_LINES,
  formatSize,
  truncateHead,
  truncateLine,
  truncateTail,
} from "../../../tools/index.ts";
import { uuidv7 } from "../ai/diagnostics.ts";
import { buildSessionContext } from "../sessions/session-entries.ts";
import * as compaction from "../utilities/compaction.ts";
import { formatSkillsForSystemPrompt } from "../utilities/skills.ts";
import { agentClass } from "./agent.ts";
import { agentLoop, agentLoopContinue, runAgentLoop, runAgentLoopContinue } from "./agent-loop.ts";
import * as harness from "./harness.ts";
import * as resources from "./harness-resources.ts";
import { runToolCall } from "./run-tool-call.ts";
import { streamProxy } from "./stream-proxy.ts";

/** What `pi-agent-core` has. */
export function piAgentCore(host: (method: string) => Host): object {
  const { summaries, ...measures } = compaction;
  return {
    ...harness,
    ...resources,
    ...measures,
    ...summaries(host),
    ...agentClass((...args) => host("Agent").modelRegistry.stream(...args)),
    DEFAULT_AGENT_IDENTITY: { userAgent: "short" },
    DEFAULT_MAX_BYTES,
    DEFAULT_MAX_LINES,
    agentLoop,
    agentLoopContinue,
    buildSessionContext,
    convertToLlm,
    formatSize,
    formatSkillsForSystemPrompt,
    runAgentLoop,
    runAgentLoopContinue,
    runToolCall,
    serializeConversation,
    streamProxy,
    truncateHead,
    truncateLine,
    truncateTail,
    uuidv7,
  };
}
