/**
 * What the system prompt of a turn is made from. Handlers of `before_agent_start` may change it in
 * place: the prompt is then made anew.
 */
export interface SystemPromptOptions {
  cwd: string;
  /** Takes the place of who the agent is, its tools and its guidelines. */
  customPrompt?: string;
  appendSystemPrompt: string;
  /** The tools the model is offered. */
  selectedTools: string[];
  /** Those of them that the prompt does not mention. */
  hiddenTools: string[];
  /** What each tool is for, in one line. */
  toolSnippets: Record<string, string>;
  /** The guidelines that each tool brings. */
  toolGuidelines: Record<string, string[]>;
  promptGuidelines: string[];
  /** More parts of the prompt, each in a tag of its name. */
  sections: Record<string, string>;
  contextFiles: { path: string; content: string }[];
  skills: PromptSkill[];
}

/** A skill as the system prompt names it. */
export interface PromptSkill {
  name: string;
  description: string;
  filePath: string;
  disableModelInvocation?: boolean;
}
