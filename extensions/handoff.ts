import {
  type AgentMessage,
  convertToLlm,
  type ExtensionAPI,
  type ExtensionCommandContext,
  type SessionEntry,
  serializeConversation,
} from "agentseam";

const SYSTEM_PROMPT = `You prepare work for a fresh session that knows nothing of this one. From the
conversation and the goal, write the prompt to start it with: what is already known and decided as
far as it matters for the goal, the files that matter, then the task. Answer with that prompt only.`;

/**
 * `/handoff <goal>` goes on in a new session instead of compacting the old one: a model writes a
 * focused prompt from the conversation, and it waits in the editor of the new session for you to
 * look at and send. With nobody there to send it, it is sent.
 *
 * Shows: `ctx.newSession` with `withSession`, `ctx.modelRegistry.stream`, `ctx.ui.setEditorText`.
 *
 * @example
 * seam run -e extensions/handoff.ts --continue -p "/handoff now write the documentation"
 */
export default function handoff(pi: ExtensionAPI) {
  pi.registerCommand("handoff", {
    description: "Go on with a goal in a new session",
    handler: async (goal, ctx) => {
      if (goal === "") return ctx.ui.notify("Usage: /handoff <goal>", "warning");
      await ctx.waitForIdle();
      const conversation = messagesOf(ctx.sessionManager.getBranch());
      if (conversation.length === 0)
        return ctx.ui.notify("There is nothing to hand over.", "warning");
      ctx.ui.notify("Writing the prompt …");
      const prompt = await focusedPrompt(conversation, goal, ctx);
      const parentSession = ctx.sessionManager.getSessionFile();
      const { cancelled } = await ctx.newSession({
        ...(parentSession !== undefined && { parentSession }),
        // From here on only `next` may be used: `pi` and `ctx` belong to the session that is gone.
        withSession: async (next) => {
          if (!next.hasUI) return next.sendUserMessage(prompt);
          next.ui.setEditorText(prompt);
          next.ui.notify("Look at the prompt, then send it.");
        },
      });
      if (cancelled) ctx.ui.notify("Staying in this session.");
    },
  });
}

async function focusedPrompt(
  conversation: AgentMessage[],
  goal: string,
  { model, modelRegistry, signal }: ExtensionCommandContext,
): Promise<string> {
  if (!model) throw new Error("No model is chosen.");
  const text = serializeConversation(convertToLlm(conversation));
  const content = `# The conversation\n\n${text}\n\n# The goal\n\n${goal}`;
  const messages = [{ role: "user" as const, content, timestamp: Date.now() }];
  const answer = await modelRegistry
    .stream(model, { systemPrompt: SYSTEM_PROMPT, messages }, { signal })
    .result();
  if (answer.stopReason !== "stop") throw new Error(answer.errorMessage ?? "There is no answer.");
  return answer.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** The conversation as the model knows it: what was compacted away is there as its summary. */
function messagesOf(branch: SessionEntry[]): AgentMessage[] {
  const compaction = branch.findLast((entry) => entry.type === "compaction");
  const start = branch.findIndex(({ id }) => id === compaction?.firstKeptEntryId);
  const kept = branch.slice(Math.max(0, start)).flatMap((entry): AgentMessage[] => {
    const timestamp = Date.parse(entry.timestamp);
    if (entry.type === "message") return [entry.message];
    if (entry.type === "branch_summary") return [{ role: "branchSummary", ...entry, timestamp }];
    if (entry.type === "custom_message") return [{ role: "custom", ...entry, timestamp }];
    return [];
  });
  if (!compaction) return kept;
  const timestamp = Date.parse(compaction.timestamp);
  return [{ role: "compactionSummary", ...compaction, timestamp }, ...kept];
}
