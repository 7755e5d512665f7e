import type { Quirk } from "../quirk.ts";

export const quirks: readonly Quirk[] = [
  {
    id: "codex-unknown-field",
    seenIn: "0.166.0",
    hooks: ["PreToolUse", "PostToolUse", "UserPromptSubmit", "SessionStart", "Stop"],
    what: "One field that Codex does not know, and the whole answer counts for nothing.",
    does: "Only fields of Codex's own schemas are used.",
  },
  {
    id: "codex-empty-reason",
    seenIn: "0.166.0",
    hooks: ["PreToolUse", "PostToolUse"],
    what: "A refusal without a reason is not accepted.",
    does: "There is always a reason.",
  },
  {
    id: "codex-rewrite-allows",
    seenIn: "0.166.0",
    hooks: ["PreToolUse"],
    what: 'A changed input counts only together with "allow".',
    does: "Changing an input approves the call.",
  },
  {
    id: "codex-patch-in-command",
    seenIn: "0.166.0",
    hooks: ["PreToolUse", "PostToolUse"],
    what: "Files are changed by patches, whose text is in tool_input.command.",
    does: "A patch is one write or edit for each file; all have one id, and blocking one blocks all.",
  },
  {
    id: "codex-bash-name",
    seenIn: "0.166.0",
    hooks: ["PreToolUse", "PostToolUse"],
    what: "The model's exec_command is called Bash in hooks, and its cmd command.",
    does: "Both names are bash.command.",
  },
  {
    id: "codex-subagent-prompt",
    seenIn: "0.166.0",
    hooks: ["UserPromptSubmit"],
    what: "UserPromptSubmit also comes for what the model tells a subagent.",
    does: "It is skipped: the user said nothing.",
  },
  {
    id: "codex-child-transcript",
    seenIn: "0.166.0",
    hooks: ["SubagentStart", "UserPromptSubmit"],
    what: "Hooks about a subagent may name its transcript and its turn where the parent's are expected.",
    does: "They are kept as the subagent's.",
  },
  {
    id: "codex-compact-start",
    seenIn: "0.166.0",
    hooks: ["SessionStart"],
    what: "A compacted session is announced with SessionStart again.",
    does: "It is skipped: the session goes on.",
  },
  {
    id: "codex-block-replaces",
    seenIn: "0.166.0",
    hooks: ["PostToolUse"],
    what: "Blocking after the call puts the reason where the output was; the turn goes on.",
    does: "This is how results are replaced.",
  },
  {
    id: "codex-interrupt",
    seenIn: "0.166.0",
    hooks: ["Interrupt"],
    what: "An interrupted turn fires Interrupt and no Stop.",
    does: "Both end the turn.",
  },
];
