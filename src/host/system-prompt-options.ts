import { Type } from "typebox";
import type { SystemPromptOptions } from "../extensions/index.ts";
import type { Core } from "./core.ts";

/** What the system prompt of a turn is made from. */
export function systemPromptOptions(core: Core): SystemPromptOptions {
  const tools = [...core.tools.active().values()];
  const extra = [core.appendSystemPrompt, core.side.goalText(), core.mcp.instructions()].filter(
    (text) => text !== undefined,
  );
  const { contextFiles, skills } = core.session.resources;
  return {
    cwd: core.cwd,
    ...(core.customPrompt !== undefined && { customPrompt: core.customPrompt }),
    appendSystemPrompt: extra.join("\n\n"),
    selectedTools: tools.map(({ name }) => name),
    hiddenTools: tools.flatMap(({ name, isUndeclared }) => (isUndeclared ? [name] : [])),
    toolSnippets: Object.fromEntries(
      tools.flatMap(({ name, promptSnippet }) => (promptSnippet ? [[name, promptSnippet]] : [])),
    ),
    toolGuidelines: Object.fromEntries(
      tools.flatMap(({ name, promptGuidelines = [] }) =>
        promptGuidelines.length > 0 ? [[name, [...promptGuidelines]]] : [],
      ),
    ),
    promptGuidelines: [],
    sections: {},
    contextFiles: contextFiles.map((file) => ({ ...file })),
    skills: skills.map((skill) => ({ ...skill })),
  };
}

const texts = Type.Array(Type.String());

/** What extensions may make of it. */
export const PROMPT_OPTIONS = Type.Object({
  cwd: Type.String(),
  customPrompt: Type.Optional(Type.String()),
  appendSystemPrompt: Type.Optional(Type.String()),
  selectedTools: Type.Optional(texts),
  hiddenTools: Type.Optional(texts),
  toolSnippets: Type.Optional(Type.Record(Type.String(), Type.String())),
  toolGuidelines: Type.Optional(Type.Record(Type.String(), texts)),
  promptGuidelines: Type.Optional(texts),
  sections: Type.Optional(Type.Record(Type.String(), Type.String())),
  contextFiles: Type.Optional(
    Type.Array(Type.Object({ path: Type.String(), content: Type.String() })),
  ),
  skills: Type.Optional(
    Type.Array(
      Type.Object({ name: Type.String(), description: Type.String(), filePath: Type.String() }),
    ),
  ),
});
