import type { PromptTemplate } from "./find-prompts.ts";

export interface ExpandedPrompt {
  prompt: PromptTemplate;
  args: string;
  text: string;
}

const COMMAND = /^\s*\/(\S+)([\s\S]*)$/;
const PLACEHOLDER = /\$(?:(\d+)|(@|ARGUMENTS\b)|\{@:(\d+)(?::(\d+))?\})/g;

/** "/name arguments" as the prompt it stands for. Undefined if there is no prompt of that name. */
export function expandPrompt(
  text: string,
  prompts: readonly PromptTemplate[],
): ExpandedPrompt | undefined {
  const [, name, rest = ""] = COMMAND.exec(text) ?? [];
  const prompt = prompts.find((one) => one.name === name);
  if (!prompt) return undefined;
  const args = rest.trim();
  return { prompt, args, text: fill(prompt.content, args) };
}

/** Filled in one pass: a "$1" inside an argument is text. */
function fill(content: string, args: string): string {
  const list = splitArguments(args);
  let used = false;
  const filled = content.replace(
    PLACEHOLDER,
    (_, nth?: string, all?: string, from?: string, count?: string) => {
      used = true;
      if (all) return joinArguments(list);
      if (nth) return list[Number(nth) - 1]?.value ?? "";
      return joinArguments(
        slice(list, Number(from), count === undefined ? undefined : Number(count)),
      );
    },
  );
  // What the user typed must not vanish because the prompt has no place for it.
  return used || args === "" ? filled : `${content}\n\n${args}`;
}

/** Arguments are counted from 1, as in a shell; 0 is taken for 1. */
function slice(list: readonly Argument[], from: number, count: number | undefined): Argument[] {
  const start = Math.max(from, 1) - 1;
  return list.slice(start, count === undefined ? undefined : start + count);
}

/** One argument, and the white space that stood before it. */
export interface Argument {
  gap: string;
  value: string;
}

const ARGUMENT = /(\s*)(?:"((?:[^"\\]|\\[\s\S])*)"(?!\S)|'([^']*)'(?!\S)|(\S+))/gy;

/**
 * What a user typed after a command, as arguments. Quotes hold an argument together only where they
 * enclose the whole of it: the apostrophe in "don't" is an apostrophe.
 */
export function splitArguments(text: string): Argument[] {
  return [...text.trim().matchAll(ARGUMENT)].map(([, gap = "", double, single, bare]) => ({
    gap,
    value: double?.replace(/\\(["\\])/g, "$1") ?? single ?? bare ?? "",
  }));
}

/** Arguments as one text, with the spaces and line breaks that were typed between them. */
export function joinArguments(list: readonly Argument[]): string {
  return list.map(({ gap, value }, index) => (index === 0 ? value : gap + value)).join("");
}
