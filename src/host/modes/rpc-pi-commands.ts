import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { THINKING_LEVELS, textOfContent } from "../../events/index.ts";
import type { EmbeddedAgent } from "../embedded-agent.ts";
import { sessionHtml } from "../session-html.ts";
import { sessionStats } from "../session-stats.ts";
import { type Fields, flag, oneOf } from "./rpc-fields.ts";

const MODES = ["all", "one-at-a-time"] as const;
const RETRIES = 3;

/** Commands that clients of Pi's RPC know. Each returns the data of its answer, in Pi's shape. */
export const PI_COMMANDS: Record<string, (agent: EmbeddedAgent, fields: Fields) => unknown> = {
  get_available_models: (agent) => ({ models: agent.models.getAvailable() }),
  cycle_model: async (agent) => {
    const all = agent.models.getAvailable();
    const now = agent.model;
    const at = all.findIndex(({ provider, id }) => provider === now?.provider && id === now.id);
    const model = all.length < 2 ? undefined : all[(at + 1) % all.length];
    if (!model || !(await agent.setModel(model, "cycle"))) return null;
    return { model, thinkingLevel: agent.thinkingLevel, isScoped: false };
  },
  cycle_thinking_level: async (agent) => {
    const { model } = agent;
    if (!model?.reasoning) return null;
    const levels = THINKING_LEVELS.filter((level) => model.thinkingLevelMap?.[level] !== null);
    const level = levels[(levels.indexOf(agent.thinkingLevel) + 1) % levels.length];
    if (level === undefined || levels.length < 2) return null;
    await agent.setThinkingLevel(level);
    return { level };
  },
  set_steering_mode: (agent, fields) => {
    agent.queue.modes.steer = oneOf(fields, "mode", MODES);
  },
  set_follow_up_mode: (agent, fields) => {
    agent.queue.modes.followUp = oneOf(fields, "mode", MODES);
  },
  set_auto_compaction: (agent, fields) =>
    agent.adjust({ compaction: { enabled: flag(fields, "enabled") } }),
  set_auto_retry: (agent, fields) =>
    agent.adjust({ retry: { maxRetries: flag(fields, "enabled") ? RETRIES : 0 } }),
  abort_retry: (agent) => agent.abortRetry(),
  get_session_stats: (agent) => sessionStats(agent.session, agent.contextUsage),
  export_html: (agent, { outputPath }) => {
    const given = typeof outputPath === "string" && outputPath !== "" ? outputPath : undefined;
    const path = resolve(given ?? `session-${agent.session.getSessionId()}.html`);
    writeFileSync(path, sessionHtml(agent.session));
    return { path };
  },
  clone: async (agent) => {
    const leaf = agent.session.getLeafId();
    if (leaf === null) throw new Error("There is nothing to clone yet.");
    const { cancelled } = await agent.fork(leaf, { position: "at" });
    return { cancelled };
  },
  get_fork_messages: (agent) => ({
    messages: agent.session
      .getEntries()
      .flatMap((entry) =>
        entry.type === "message" && entry.message.role === "user"
          ? [{ entryId: entry.id, text: textOfContent(entry.message.content) }]
          : [],
      ),
  }),
  get_last_assistant_text: (agent) => {
    const { messages } = agent.session.buildContext();
    const last = messages.findLast(({ role }) => role === "assistant");
    const said = last?.role === "assistant" ? textOfContent(last.content).trim() : "";
    return { text: said === "" ? null : said };
  },
};
