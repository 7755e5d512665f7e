export { type ContextFile, findContextFiles } from "./context-files.ts";
export type { SearchOptions } from "./find/places.ts";
export type { ResourceProblem } from "./find/problem.ts";
export {
  addUsage,
  completeGoal,
  dropGoal,
  type NewGoalOptions,
  newGoal,
  pauseGoal,
  resumeGoal,
} from "./goals/goal.ts";
export { goalPrompt } from "./goals/goal-prompt.ts";
export { GOAL_ENTRY, restoreGoal } from "./goals/restore-goal.ts";
export { type ExpandedPrompt, expandPrompt } from "./prompts/expand-prompt.ts";
export { findPrompts, type PromptTemplate } from "./prompts/find-prompts.ts";
export { findRules, type WatchedRule } from "./rules/find-rules.ts";
export { ruleMessage } from "./rules/rule-message.ts";
export { RuleWatcher, type RuleWatcherOptions } from "./rules/rule-watcher.ts";
export { type ExpandedSkill, expandSkillCommand } from "./skills/expand-skill-command.ts";
export { findSkills, type Skill } from "./skills/find-skills.ts";
export { loadSkill } from "./skills/load-skill.ts";
export {
  type PromptInvocation,
  promptInvocation,
  type ToolInvocation,
  toolInvocation,
} from "./skills/skill-events.ts";
export { SKILL_TOOL, type SkillUse, skillTool } from "./skills/skill-tool.ts";
export { type BuildSystemPromptOptions, buildSystemPrompt } from "./system-prompt.ts";
export { openTodos, reminderText, restoreTodos } from "./todos/open-todos.ts";
export { TODO_TOOL, type TodoState, todoTool } from "./todos/todo-tool.ts";
