/** What an agent does with an answer to a hook. */
export const POWERS = [
  "block",
  "rewrite_input",
  "ask",
  "replace_result",
  "add_context",
  "block_prompt",
  "rewrite_prompt",
  "continue",
  "cancel",
  "interrupt",
  "message",
] as const;

/** What an extension can do at a hook of an agent. */
export type Power = (typeof POWERS)[number];

/** What each power lets an extension do, in words for people. */
export const POWER_TEXT: Readonly<Record<Power, string>> = {
  block: "stop a tool call and tell the model why",
  rewrite_input: "change what a tool is called with",
  ask: "have the user asked whether a tool call may run",
  replace_result: "change what the model sees of a result",
  add_context: "tell the model something more",
  block_prompt: "stop a prompt",
  rewrite_prompt: "change a prompt",
  continue: "send the agent back to work when it stops",
  cancel: "stop a compaction or a change of session",
  interrupt: "end the turn of a session that works",
  message: "show the user a message",
};
