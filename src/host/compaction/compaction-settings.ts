import type { CompactionPreparation } from "../../events/index.ts";

export type CompactionSettings = NonNullable<CompactionPreparation["settings"]>;

export const DEFAULT_COMPACTION: CompactionSettings = {
  enabled: true,
  /** How many tokens stay free for the next answer and for the summary. */
  reserveTokens: 16_384,
  /** What stays word for word. */
  keepRecentTokens: 20_000,
};

/** What the reserve leaves to the conversation at least, on windows that have it twice. */
const LEAST_ROOM = 16_384;

/**
 * The settings as they make sense for a model. A reserve that takes nearly all of a small window
 * would make every context too long; a kept part that nearly fills what is left would be too long
 * again with the next answer. A window of 0 means: not known.
 */
export function fitToWindow(
  settings: CompactionSettings,
  contextWindow: number,
): CompactionSettings {
  if (contextWindow <= 0) return settings;
  const { reserveTokens, keepRecentTokens } = settings;
  const most = Math.max(Math.floor(contextWindow / 2), contextWindow - LEAST_ROOM);
  const reserve = Math.min(reserveTokens, most);
  const keep = Math.min(keepRecentTokens, Math.floor((contextWindow - reserve) / 2));
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
