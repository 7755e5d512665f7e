import type { Quirk } from "../quirk.ts";

export const quirks: readonly Quirk[] = [
  {
    id: "opencode-no-failure-hook",
    seenIn: "1.18.33",
    hooks: ["event.message.part.updated"],
    what: "tool.execute.after does not fire when a tool fails.",
    does: "The failed part of the message is taken for it, unless Seam itself stopped the call.",
  },
  {
    id: "opencode-child-sessions",
    seenIn: "1.18.33",
    hooks: ["chat.message", "tool.execute.before", "event.session.idle"],
    what: "A subagent is a session of its own, and its hooks look like any session's.",
    does: "The plugin remembers who started whom; a child's prompt, stop and start are skipped, its tool calls are not.",
  },
  {
    id: "opencode-mutate-in-place",
    seenIn: "1.18.33",
    hooks: ["tool.execute.before"],
    what: "A new args object is ignored; only changes inside the old one count.",
    does: "The plugin changes it in place.",
  },
  {
    id: "opencode-throw-after",
    seenIn: "1.18.33",
    hooks: ["tool.execute.after"],
    what: "An error in tool.execute.after turns a call that worked into one that failed.",
    does: "The plugin lets none out.",
  },
  {
    id: "opencode-prompt-error",
    seenIn: "1.18.33",
    hooks: ["chat.message"],
    what: "A stopped prompt is shown as a server error, without the reason.",
    does: "Prompts are stopped all the same.",
  },
  {
    id: "opencode-nameless-dispose",
    seenIn: "1.18.33",
    hooks: ["dispose"],
    what: "The end is reported once, without naming a session, and not at all if a signal ends the program.",
    does: "The plugin tells it for each session it saw.",
  },
  {
    id: "opencode-failed-command",
    seenIn: "1.18.33",
    hooks: ["tool.execute.after"],
    what: "A command that failed is reported as completed.",
    does: "metadata.exit is read.",
  },
  {
    id: "opencode-quoted-prompt",
    seenIn: "1.18.33",
    hooks: ["chat.message"],
    what: "opencode run puts a prompt of several words in quotes.",
    does: "It is kept as it came: the user may have typed them.",
  },
  {
    id: "opencode-permission-ask",
    seenIn: "1.18.33",
    hooks: ["permission.ask"],
    what: "permission.ask is declared and never called.",
    does: "The hook is not used.",
  },
  {
    id: "opencode-silent-import",
    seenIn: "1.18.33",
    what: "`opencode import` ends well even if it took nothing.",
    does: "What is in the database afterwards decides.",
  },
];
