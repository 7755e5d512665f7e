import {
  convertToLlm,
  type ExtensionAPI,
  type ExtensionContext,
  serializeConversation,
} from "agentseam";

const SYSTEM_PROMPT = `You write the minutes of a coding session, for a colleague who takes over.
Write Markdown with the sections Goal, Decisions, Files, Open points. Name files and commands
exactly. Leave out what no longer matters.`;

/**
 * Lets a cheaper model write the summary when the conversation is compacted, with a prompt of its
 * own. Without the flag, or if that model fails, Seam's own compaction does it.
 *
 * Shows: `session_before_compact` with a result, `ctx.modelRegistry` (find, stream), a flag.
 *
 * @example
 * seam run -e extensions/custom-compaction.ts --compaction-model google/gemini-2.5-flash -p "…"
 */
export default function customCompaction(pi: ExtensionAPI) {
  pi.registerFlag("compaction-model", {
    type: "string",
    description: "provider/model that writes the summaries",
  });

  pi.on("session_before_compact", async ({ preparation, customInstructions = "" }, ctx) => {
    const wanted = pi.getFlag("compaction-model");
    if (typeof wanted !== "string" || wanted === "") return;
    const { firstKeptEntryId, tokensBefore, previousSummary = "" } = preparation;
    // Of a long turn, the first part goes too: its end stands alone afterwards.
    const old = [...preparation.messagesToSummarize, ...preparation.turnPrefixMessages];
    const parts = {
      "summary of what came before": previousSummary,
      conversation: serializeConversation(convertToLlm(old)),
      "wishes of the user": customInstructions,
    };
    const text = Object.entries(parts)
      .filter(([, part]) => part !== "")
      .map(([title, part]) => `# The ${title}\n\n${part}`)
      .join("\n\n");
    try {
      const summary = await ask(wanted, text, ctx);
      return { compaction: { summary, firstKeptEntryId, tokensBefore, details: { by: wanted } } };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      ctx.ui.notify(`${wanted} wrote no summary: ${why} Using the default.`, "warning");
      pi.logger.warn(`${wanted} wrote no summary: ${why}`);
    }
  });
}

/** The model's answer. Throws if there is none that could take the place of the conversation. */
async function ask(wanted: string, text: string, { modelRegistry, signal }: ExtensionContext) {
  const [provider = "", ...id] = wanted.split("/");
  const model = modelRegistry.find(provider, id.join("/"));
  if (!model) throw new Error("There is no such model.");
  if (!modelRegistry.hasConfiguredAuth(model)) throw new Error("There is no key for it.");
  if (text.length / 4 > model.contextWindow)
    throw new Error("The conversation is too long for it.");
  const messages = [{ role: "user" as const, content: text, timestamp: Date.now() }];
  const answer = await modelRegistry
    .stream(model, { systemPrompt: SYSTEM_PROMPT, messages }, { signal })
    .result();
  if (answer.stopReason !== "stop") throw new Error(answer.errorMessage ?? "It did not finish.");
  const summary = answer.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  if (summary.trim() === "") throw new Error("Its answer was empty.");
  return summary;
}
