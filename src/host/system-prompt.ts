import type { Core } from "./core.ts";
import { buildSystemPrompt } from "./resources/index.ts";
import type { SideState } from "./side-state.ts";

/** The system prompt for a turn, and what it was built from. */
export function systemPromptOf(core: Core, side: SideState) {
  const tools = [...core.tools.active().values()];
  const extra = [core.appendSystemPrompt, side.goalText()].filter((text) => text !== undefined);
  const options = {
    cwd: core.cwd,
    date: new Date().toISOString().slice(0, 10),
    ...(core.customPrompt !== undefined && { customPrompt: core.customPrompt }),
    ...(extra.length > 0 && { appendSystemPrompt: extra.join("\n\n") }),
    selectedTools: tools.map(({ name }) => name),
    toolSnippets: Object.fromEntries(
      tools.flatMap(({ name, promptSnippet }) => (promptSnippet ? [[name, promptSnippet]] : [])),
    ),
    promptGuidelines: tools.flatMap(({ promptGuidelines = [] }) => [...promptGuidelines]),
    contextFiles: [...core.resources.contextFiles],
    skills: [...core.resources.skills],
  };
  return { prompt: buildSystemPrompt(options), options };
}
