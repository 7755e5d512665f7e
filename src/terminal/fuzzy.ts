/** Lower scores are better matches. */
export interface FuzzyMatch {
  matches: boolean;
  score: number;
}

const NO_MATCH: FuzzyMatch = { matches: false, score: 0 };
const WORD_START_BONUS = 10;
const STREAK_BONUS = 5;
const GAP_COST = 2;
const LATE_COST = 0.1;
const EXACT_BONUS = 100;
const SWAP_COST = 5;

/**
 * Whether the characters of `query` occur in `text` in this order, not necessarily side by side.
 * A query such as `gpt5` also finds `5-gpt`: people remember both halves, not their order.
 */
export function fuzzyMatch(query: string, text: string): FuzzyMatch {
  const wanted = query.toLowerCase();
  const haystack = text.toLowerCase();
  const direct = matchInOrder(wanted, haystack);
  if (direct.matches) return direct;
  const halves = /^([a-z]+)([0-9]+)$|^([0-9]+)([a-z]+)$/.exec(wanted);
  if (!halves) return NO_MATCH;
  const swapped = `${halves[2] ?? halves[4]}${halves[1] ?? halves[3]}`;
  const second = matchInOrder(swapped, haystack);
  return second.matches ? { matches: true, score: second.score + SWAP_COST } : NO_MATCH;
}

function matchInOrder(query: string, text: string): FuzzyMatch {
  let score = query === text && query !== "" ? -EXACT_BONUS : 0;
  let previous = -1;
  let streak = 0;
  for (const char of query) {
    const at = text.indexOf(char, previous + 1);
    if (at === -1) return NO_MATCH;
    const adjacent = previous >= 0 && at === previous + 1;
    streak = adjacent ? streak + 1 : 0;
    score -= streak * STREAK_BONUS;
    if (previous >= 0 && !adjacent) score += (at - previous - 1) * GAP_COST;
    if (at === 0 || /[\s\-_./:]/.test(text.charAt(at - 1))) score -= WORD_START_BONUS;
    score += at * LATE_COST;
    previous = at + char.length - 1;
  }
  return { matches: true, score };
}

/** The items that match every word of the query, best first. An empty query keeps all of them. */
export function fuzzyFilter<T>(items: T[], query: string, getText: (item: T) => string): T[] {
  const words = query.split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return items;
  const found: { item: T; score: number }[] = [];
  for (const item of items) {
    const text = getText(item);
    const matches = words.map((word) => fuzzyMatch(word, text));
    if (!matches.every((match) => match.matches)) continue;
    found.push({ item, score: matches.reduce((sum, match) => sum + match.score, 0) });
  }
  return found.sort((a, b) => a.score - b.score).map(({ item }) => item);
}
