import type { ExtensionAPI, ExtensionContext } from "agentseam";

/**
 * Compacts the conversation when it grows past a number of tokens of your choice, long before the
 * model's own limit, or when you say `/compact-now [what the summary should dwell on]`.
 *
 * Shows: `ctx.getContextUsage`, `ctx.compact` with its callbacks, a flag, `turn_end`.
 *
 * @example
 * seam run -e extensions/trigger-compact.ts --compact-above 60000 -p "Work through the list"
 */
export default function triggerCompact(pi: ExtensionAPI) {
  pi.registerFlag("compact-above", {
    type: "string",
    default: "100000",
    description: "Compact when the conversation has more tokens than this; 0: never",
  });
  let wasAbove = false;

  pi.on("session_start", () => {
    const limit = pi.getFlag("compact-above");
    if (!(Number(limit) >= 0)) pi.logger.warn(`--compact-above ${limit} is not a number.`);
  });

  pi.on("turn_end", (_event, ctx) => {
    const limit = Number(pi.getFlag("compact-above"));
    const tokens = ctx.getContextUsage()?.tokens;
    if (!(limit > 0) || tokens === null || tokens === undefined) return;
    const isAbove = tokens > limit;
    // Only on the way up: what cannot be made shorter must not be tried again after every round.
    if (isAbove && !wasAbove) compact(ctx);
    wasAbove = isAbove;
  });

  pi.registerCommand("compact-now", {
    description: "Compact the conversation now",
    handler: (instructions, ctx) => compact(ctx, instructions),
  });
}

function compact(ctx: ExtensionContext, instructions = "") {
  const { ui } = ctx;
  ctx.compact({
    ...(instructions !== "" && { customInstructions: instructions }),
    onComplete: ({ tokensBefore }) => ui.notify(`Compacted ${tokensBefore} tokens.`),
    onError: ({ message }) => ui.notify(`Not compacted: ${message}`, "error"),
  });
}
