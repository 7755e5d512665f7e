import { type SkillSource, skillOfTool } from "../hooks/skills.ts";
import { inputOf, readTool, runsOn, type ToolTable } from "../hooks/tool-table.ts";
import type { TranscriptEntry } from "./entry.ts";
import { compact, type Json, text } from "./json.ts";

/** Whose calls, and what its tools are called. */
export type CallSource = SkillSource & { readonly tools: ToolTable };

/** Tools that change the file they are given; a patch is told as one of them for each file. */
const CHANGING = new Set(["write", "edit"]);

/** A call of a tool, in the words the hooks have for it too. */
export function readCall(
  source: CallSource,
  call: {
    nativeName: string;
    callId?: string | undefined;
    input: unknown;
    at?: string | undefined;
  },
): Required<Pick<TranscriptEntry, "tool">> & Pick<TranscriptEntry, "skill"> {
  const { nativeName, callId, input, at } = call;
  const named = readTool(source.tools, nativeName, inputOf(input));
  const [first] = named;
  const files = named.flatMap((one) => {
    // Versions of an agent differ in what they call it.
    const { path, file_path, filePath } = one.input;
    const file = text(path) ?? text(file_path) ?? text(filePath);
    return CHANGING.has(one.name) && file !== undefined ? [file] : [];
  });
  const pathsOf = (is: (one: (typeof named)[number]) => boolean) => {
    const paths = named.filter(is).flatMap(({ input: { path } }) => text(path) ?? []);
    return paths.length > 0 ? paths : undefined;
  };
  const about = [...new Set(named.flatMap((one) => aboutCall(one.input) ?? []))].join(", ");
  const skill = first && callId ? skillOfTool(source, { ...first, callId }) : undefined;
  const tool = compact({
    name: first?.name ?? nativeName,
    nativeName,
    callId,
    input,
    runsOn: runsOn(source.tools, nativeName, inputOf(input)) || undefined,
    about: text(about),
    files: files.length > 0 ? [...new Set(files)] : undefined,
    written: pathsOf(
      ({ name, input: { movedFrom } }) => name === "write" || movedFrom !== undefined,
    ),
    deleted: pathsOf(
      ({ name, input: { change, movedTo } }) =>
        name === "edit" && (change === "delete" || movedTo !== undefined),
    ),
  });
  return skill ? { tool, skill: compact({ ...skill, timestamp: at }) } : { tool };
}

/** Fields that say most about a call, the best first; agents have others for tools of their own. */
const TELLING = [
  "command",
  "cmd",
  "path",
  "file_path",
  "filePath",
  "absolute_path",
  "pattern",
  "query",
  "url",
  "name",
  "skill",
  "task",
  "description",
  "prompt",
] as const;

/** What a call is about, in a few words; undefined if its input does not say. */
export function aboutCall(input: Json): string | undefined {
  for (const key of TELLING) {
    const value = input[key];
    // A command as the words of a program: what a shell is given says it all.
    if (Array.isArray(value)) return text(SHELL.test(value[0]) ? value.at(-1) : value.join(" "));
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return undefined;
}

const SHELL = /^(?:.*\/)?(?:ba|z|da|k)?sh$/;
