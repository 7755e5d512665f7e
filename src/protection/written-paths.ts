import { normalize } from "node:path";
import { shellCommandIn } from "../tools/index.ts";

type Json = Readonly<Record<string, unknown>>;

/** A call of a tool, in normal words. */
export interface Call {
  /** bash, read, write, edit, grep, find, ls, subagent, skill; else the agent's own name. */
  readonly name: string;
  readonly input: Json;
  /** With the agent's own names of fields, where they differ. */
  readonly nativeInput?: Json;
}

/** What a call says about files. */
export interface Mentions {
  /** Files that it writes, or may write. */
  readonly paths: readonly string[];
  /** Commands for a shell. */
  readonly commands: readonly string[];
}

const NOTHING: Mentions = { paths: [], commands: [] };

/** Tools that only look, and those whose own calls are asked about one by one. */
const READERS: ReadonlySet<string> = new Set([
  "read",
  "grep",
  "find",
  "ls",
  "subagent",
  "skill",
  "todo",
]);

const WRITES =
  /write|edit|create|delete|remove|move|rename|update|put|save|append|patch|replace|insert|copy|mkdir|upload|download|touch|exec|run|shell|set/i;
const READS =
  /read|get|list|search|find|view|stat|info|show|fetch|query|grep|tree|cat|open|glob|look/i;

const PATH_FIELD =
  /path|file|dir(ectory)?$|folder|dest|target|source|^src$|^uri$|^from$|^to$|output/i;
const COMMAND_FIELD = /^(command|cmd|script|code|commandLine)$/i;
/** Text that goes into a file; it may look like a path and is none. */
const CONTENT_FIELD = /content|text|string|str$|old|new|diff|body|data|message|prompt|task/i;
const LONGEST_PATH = 4_096;
const DEEPEST = 4;

/**
 * The files a call may write, as far as its input says so. Sure for the tools that write files;
 * for a tool nobody knows it goes by the names of the tool and its fields.
 */
export function mentionsOf({ name, input, nativeInput }: Call): Mentions {
  if (READERS.has(name)) return NOTHING;
  if (name === "bash") return { paths: [], commands: commandsIn(input) };
  if (name === "write" || name === "edit") {
    const paths = [...texts(input.path), ...texts(input.movedTo), ...texts(input.movedFrom)];
    return { paths: paths.length > 0 ? paths : inFields(nativeInput ?? input).paths, commands: [] };
  }
  return READS.test(name) && !WRITES.test(name) ? NOTHING : inFields(input);
}

function inFields(input: Json): Mentions {
  const paths: string[] = [];
  const commands: string[] = [];
  const look = (value: unknown, field: string, depth: number): void => {
    if (typeof value === "string") {
      if (COMMAND_FIELD.test(field)) commands.push(value);
      else if (isPath(field, value)) paths.push(value);
    } else if (depth < DEEPEST && Array.isArray(value)) {
      for (const item of value) look(item, field, depth + 1);
    } else if (depth < DEEPEST && typeof value === "object" && value !== null) {
      commands.push(...commandsIn(value));
      for (const [key, item] of Object.entries(value)) look(item, key, depth + 1);
    }
  };
  look(input, "", 0);
  return { paths, commands };
}

function isPath(field: string, value: string): boolean {
  if (normalize(value).length > LONGEST_PATH || value.includes("\n") || value === "") return false;
  if (/path|file_?name|uri/i.test(field)) return true;
  return PATH_FIELD.test(field) && !CONTENT_FIELD.test(field);
}

function commandsIn(value: object): string[] {
  const command = shellCommandIn({ ...value });
  return command === undefined ? [] : [command];
}

function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
