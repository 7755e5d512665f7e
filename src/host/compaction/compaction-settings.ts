import type { CompactionPreparation } from "../../events/index.ts";

export type CompactionSettings = NonNullable<CompactionPreparation["settings"]>;

export const DEFAULT_COMPACTION: CompactionSettings = {
  enabled: true,
  /** Left free for the next answer and for the summary. */
  reserveTokens: 16_384,
  /** What stays word for word. */
  keepRecentTokens: 20_000,
};

/**
 * The settings as they make sense for a model: on a window smaller than the reserve every context
 * would be too long, and on one smaller than the kept part no compaction would help. A window of 0
 * means: not known.
 */
export function fitToWindow(
  settings: CompactionSettings,
  contextWindow: number,
): CompactionSettings {
  if (contextWindow <= 0) return settings;
  const { reserveTokens, keepRecentTokens } = settings;
  const reserve = reserveTokens < contextWindow ? reserveTokens : Math.floor(contextWindow / 2);
  const room = contextWindow - reserve;
  const keep = keepRecentTokens < room ? keepRecentTokens : Math.floor(room / 2);
  return { ...settings, reserveTokens: reserve, keepRecentTokens: keep };
}

/** Whether a context of this size leaves too little room. */
export function shouldCompact(
  tokens: number,
  contextWindow: number,
  settings: CompactionSettings = DEFAULT_COMPACTION,
): boolean {
  if (!settings.enabled || contextWindow <= 0) return false;
  return tokens > contextWindow - fitToWindow(settings, contextWindow).reserveTokens;
}
