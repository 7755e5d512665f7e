import type { Quirk } from "../quirk.ts";

export const quirks: readonly Quirk[] = [
  {
    id: "copilot-flat-answers",
    seenIn: "1.0.102",
    hooks: ["preToolUse", "postToolUse", "userPromptSubmitted"],
    what: "With hooks named in camelCase only flat answers count.",
    does: "Answers are flat.",
  },
  {
    id: "copilot-fails-closed",
    seenIn: "1.0.102",
    hooks: ["preToolUse"],
    what: "A hook that does not exit with 0 refuses the call.",
    does: "The exit code is always 0.",
  },
  {
    id: "copilot-prompt-exit-2",
    seenIn: "1.0.102",
    hooks: ["userPromptSubmitted"],
    what: "Exit code 2 does not stop a prompt.",
    does: "Prompts are stopped with JSON.",
  },
  {
    id: "copilot-no-call-id",
    seenIn: "1.0.102",
    hooks: ["preToolUse", "postToolUse"],
    what: "Tool calls have no id.",
    does: "One is made of session, tool and input.",
  },
  {
    id: "copilot-stop-in-subagent",
    seenIn: "1.0.102",
    hooks: ["agentStop"],
    what: "agentStop also fires when a subagent stops.",
    does: "It is skipped: subagentStop tells of it.",
  },
  {
    id: "copilot-subagent-prompt",
    seenIn: "1.0.102",
    hooks: ["userPromptSubmitted"],
    what: "userPromptSubmitted also comes for what the model tells a subagent.",
    does: "It is skipped: the user said nothing.",
  },
  {
    id: "copilot-child-session",
    seenIn: "1.0.102",
    hooks: ["preToolUse", "postToolUse"],
    what: "A subagent has a session id of its own.",
    does: "Its hooks belong to the session named by parentAgentId.",
  },
  {
    id: "copilot-failed-command",
    seenIn: "1.0.102",
    hooks: ["postToolUse"],
    what: "A command that failed is reported as a success.",
    does: "The exit code at the end of the output is read.",
  },
  {
    id: "copilot-permission-request",
    seenIn: "1.0.102",
    hooks: ["permissionRequest"],
    what: "permissionRequest names a new file as an edit with a diff, and fires although all is allowed.",
    does: "The hook is not used: preToolUse decides.",
  },
  {
    id: "copilot-rewrite-allows",
    seenIn: "1.0.102",
    hooks: ["preToolUse"],
    what: 'A changed input was only seen to count together with "allow", which also skips the question to the user.',
    does: "Changing an input approves the call.",
  },
];
