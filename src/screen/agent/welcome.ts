import { type Component, keyText, type Theme, truncateToWidth } from "../../terminal/index.ts";

/** What is said at the top of a session. */
export function welcome(theme: Theme, version: string): Component {
  return {
    render: (width) =>
      [
        theme.bold(theme.fg("accent", `seam ${version}`)),
        theme.fg(
          "dim",
          `/ commands  @ files  ! shell  ${keyText("app.tools.expand")} whole tool calls  /hotkeys all keys`,
        ),
      ].map((line) => truncateToWidth(line, width, "…")),
    invalidate() {},
  };
}

/** What one can do without a model. */
export const WITHOUT_MODEL = [
  "There is no model yet. You can:",
  "  log in:              /login",
  "  use a key:           set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY and start again",
  "  use your own server: name it in ~/.seam/models.json, see docs/agent.md",
  "  look around:         seam run --model scripted:turns.json answers from a file, without a key",
].join("\n");
