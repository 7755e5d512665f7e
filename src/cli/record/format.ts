import type { TokenUsage } from "../../events/index.ts";

/** Without what would change a terminal: what agents and users wrote is not to be trusted. */
export function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, "");
}

/** One line of at most so many characters. */
export function oneLine(text: string, most = 72): string {
  const line = plainText(text.replace(/\s+/g, " ")).trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** "12,345 in (9,000 cached), 678 out, 3 calls" */
export function tokensLine(usage: TokenUsage): string {
  const { input_tokens, cache_read_tokens, cache_creation_tokens } = usage;
  const cached = cache_read_tokens + cache_creation_tokens;
  const parts = [
    `${count(input_tokens + cached)} in${cached > 0 ? ` (${count(cached)} cached)` : ""}`,
    `${count(usage.output_tokens)} out`,
    plural(usage.api_call_count, "call"),
  ];
  const children = usage.subagent_tokens;
  return children ? `${parts.join(", ")}; subagents: ${tokensLine(children)}` : parts.join(", ");
}

export function count(value: number): string {
  return value.toLocaleString("en-US");
}

export function plural(value: number, word: string, many = `${word}s`): string {
  return `${count(value)} ${value === 1 ? word : many}`;
}

/** Local time to the minute. */
export function when(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [value, unit] = bytes < 1e6 ? [bytes / 1e3, "kB"] : [bytes / 1e6, "MB"];
  return `${value.toLocaleString("en-US", { maximumFractionDigits: 1 })} ${unit}`;
}
