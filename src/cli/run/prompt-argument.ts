import { withLongNames } from "./run-options.ts";

/**
 * The prompt belongs to -p even where it looks like an option. No option has a blank before its
 * value, and none begins with three dashes; behind `--` everything is the prompt. Anything else that
 * begins with a dash is an option: `-p --model x "the prompt"`.
 */
export function withLiteralPrompt(given: readonly string[]): readonly string[] {
  const args = withLongNames(given);
  const at = args.findIndex((arg) => arg === "-p" || arg === "--print");
  if (at < 0) return args;
  const before = args.slice(0, at);
  const [next, ...after] = args.slice(at + 1);
  if (next === undefined) return args;
  if (isProse(next)) return [...before, `--print=${next}`, ...after];
  // Only a bare -p takes words from elsewhere.
  const isBare = next.startsWith("-") && next !== "-";
  const end = args.indexOf("--", at);
  if (!isBare || end < 0) return args;
  const prompt = args.slice(end + 1).join(" ");
  return [...before, `--print=${prompt}`, ...args.slice(at + 1, end)];
}

function isProse(text: string): boolean {
  return text.startsWith("---") || /^-[^=\s]*\s/.test(text);
}
