export { type ContextFile, findContextFiles } from "./context-files.ts";
export {
  addUsage,
  completeGoal,
  dropGoal,
  GOAL_ENTRY,
  goalPrompt,
  newGoal,
  pauseGoal,
  restoreGoal,
  resumeGoal,
} from "./goals/goal.ts";
export { expandPrompt } from "./prompts/expand-prompt.ts";
export { findPrompts, type PromptTemplate } from "./prompts/find-prompts.ts";
export { findRules, type WatchedRule } from "./rules/find-rules.ts";
export { RuleWatcher, ruleMessage } from "./rules/rule-watcher.ts";
export { expandSkillCommand, unknownSkill } from "./skills/expand-skill-command.ts";
export { findSkills, type Skill } from "./skills/find-skills.ts";
export { promptInvocation, toolInvocation } from "./skills/skill-events.ts";
export { skillTool } from "./skills/skill-tool.ts";
export { buildSystemPrompt } from "./system-prompt.ts";
export { openTodos, reminderText, restoreTodos } from "./todos/open-todos.ts";
export { type TodoState, todoTool } from "./todos/todo-tool.ts";
