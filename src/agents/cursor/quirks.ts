import type { Quirk } from "../quirk.ts";

export const quirks: readonly Quirk[] = [
  {
    id: "cursor-two-tool-hooks",
    seenIn: "3.9.16",
    hooks: ["preToolUse"],
    what: "One call of Shell fires preToolUse and beforeShellExecution.",
    does: "Only preToolUse is used.",
  },
  {
    id: "cursor-user-message",
    seenIn: "3.9.16",
    hooks: ["preToolUse"],
    what: "On a refusal the model reads user_message; agent_message never reaches it.",
    does: "The reason is the user_message.",
  },
  {
    id: "cursor-denied-fails",
    seenIn: "3.9.16",
    hooks: ["postToolUseFailure"],
    what: "A refused call comes back as postToolUseFailure.",
    does: "It is skipped: the call never ran.",
  },
  {
    id: "cursor-input-as-text",
    seenIn: "3.9.16",
    hooks: ["preToolUse", "postToolUse"],
    what: "The input of an MCP tool is JSON in a text.",
    does: "It is read as an object.",
  },
  {
    id: "cursor-output-as-text",
    seenIn: "3.9.16",
    hooks: ["postToolUse"],
    what: "Outputs are JSON in a text.",
    does: "The command's output and exit code are read from it.",
  },
  {
    id: "cursor-exit-2-dumps",
    seenIn: "3.9.16",
    hooks: ["preToolUse"],
    what: "With exit code 2 the JSON is shown to the model as it is.",
    does: "The exit code is always 0.",
  },
  {
    id: "cursor-rewrite-allows",
    seenIn: "3.9.16",
    hooks: ["preToolUse"],
    what: 'A changed input was only seen to count together with "allow".',
    does: "Changing an input approves the call.",
  },
  {
    id: "cursor-empty-cwd",
    seenIn: "3.9.16",
    hooks: ["preToolUse"],
    what: "cwd can be empty.",
    does: "The first workspace root stands in.",
  },
];
