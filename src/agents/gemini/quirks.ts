import type { Quirk } from "../quirk.ts";

export const quirks: readonly Quirk[] = [
  {
    id: "gemini-resume-path",
    seenIn: "0.61.0",
    hooks: ["SessionStart"],
    what: "On resume, SessionStart names a transcript that was only just made and is not used.",
    does: "The path is left out; later hooks have the right one.",
  },
  {
    id: "gemini-pre-compress",
    seenIn: "0.61.0",
    hooks: ["PreCompress"],
    what: "PreCompress fires before every call of the model, whether or not anything is compressed.",
    does: "The hook is not used: Gemini does not tell of compactions.",
  },
  {
    id: "gemini-session-end-repeats",
    seenIn: "0.61.0",
    hooks: ["SessionEnd"],
    what: "SessionEnd fires up to three times for one exit.",
    does: "It counts once.",
  },
  {
    id: "gemini-ask-hangs",
    seenIn: "0.61.0",
    hooks: ["BeforeTool"],
    what: '"ask" waits forever when nobody is there.',
    does: "It is never said.",
  },
  {
    id: "gemini-shallow-merge",
    seenIn: "0.61.0",
    hooks: ["BeforeTool"],
    what: "A changed input is laid over the original one: no field can be taken out.",
    does: "A change that takes a field out cannot be made.",
  },
  {
    id: "gemini-no-call-id",
    seenIn: "0.61.0",
    hooks: ["BeforeTool", "AfterTool"],
    what: "Tool calls have no id.",
    does: "One is made of session, tool and input.",
  },
  {
    id: "gemini-subagent-as-tool",
    seenIn: "0.61.0",
    hooks: ["BeforeTool", "AfterTool"],
    what: "A subagent has no hooks; what it does looks like the parent's doing.",
    does: "The call of invoke_agent is its start and end.",
  },
  {
    id: "gemini-replaced-is-all",
    seenIn: "0.61.0",
    hooks: ["AfterTool"],
    what: "When a result is replaced, context that is added in the same answer is lost.",
    does: "The context is put behind the new result.",
  },
  {
    id: "gemini-failed-command",
    seenIn: "0.61.0",
    hooks: ["AfterTool"],
    what: "A command that failed is reported like one that did not.",
    does: "The exit code in the output is read.",
  },
  {
    id: "gemini-clean-stdout",
    seenIn: "0.61.0",
    hooks: ["BeforeTool"],
    what: "JSON that is not alone on stdout is taken for text, and a refusal is lost.",
    does: "Nothing but the JSON is printed.",
  },
];
