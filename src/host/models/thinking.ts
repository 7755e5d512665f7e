import { type Model, THINKING_LEVELS, type ThinkingLevel } from "../../events/index.ts";

/** A level the model has: the one asked for, else the next lower one, else the lowest there is. */
export function levelOf(model: Model, asked: ThinkingLevel = "off"): ThinkingLevel {
  const has = (level: ThinkingLevel) => model.thinkingLevelMap?.[level] !== null;
  const wanted = THINKING_LEVELS.indexOf(asked);
  return (
    THINKING_LEVELS.slice(0, wanted + 1).findLast(has) ??
    THINKING_LEVELS.slice(wanted + 1).find(has) ??
    "off"
  );
}

/** The model's own word for a level, else the provider's. */
export function wordFor<Word extends string | undefined>(
  model: Model,
  level: ThinkingLevel,
  words: Readonly<Record<ThinkingLevel, Word>>,
): string | Word {
  return model.thinkingLevelMap?.[level] ?? words[level];
}

/** Tokens to think with, for models that are told a number. */
export const THINKING_BUDGETS: Readonly<Record<ThinkingLevel, number>> = {
  off: 0,
  minimal: 1_024,
  low: 4_096,
  medium: 10_240,
  high: 20_480,
  xhigh: 32_768,
};
