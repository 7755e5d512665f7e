import type { Headless, News } from "../headless/headless.ts";
import { at, numberIn, textIn } from "../headless/line-fields.ts";
import { withInstructions } from "../headless/with-instructions.ts";
import { processHome } from "./process-home.ts";

/** Its tools for changing files; a role that only reads is not offered them. */
const WRITERS = ["write_file", "replace"];

export const headless: Headless = {
  takesSessionId: true,
  takesSchema: false,
  consent:
    "Gemini CLI is given a copy of your settings with Seam's hooks in it for the process alone (GEMINI_CLI_HOME), trusts the worktrees of the crew (--skip-trust) and asks before no tool call (--approval-mode yolo): Seam's gate decides.",
  projectPrograms: [".gemini/settings.json", ".gemini/extensions"],
  start(task) {
    const { session, resume, model, access } = task;
    const home = processHome(task, access === "read" ? WRITERS : []);
    return {
      stdin: withInstructions(task),
      args: [
        "--output-format",
        "stream-json",
        "--approval-mode",
        "yolo",
        "--skip-trust",
        ...(model !== undefined ? ["--model", model] : []),
        ...(resume !== undefined ? ["--resume", resume] : []),
        ...(resume === undefined && session !== undefined ? ["--session-id", session] : []),
      ],
      ...home,
    };
  },
  read(line): readonly News[] {
    if (line.type === "init") return [{ kind: "session", id: textIn(line.session_id) ?? "" }];
    if (line.type === "message" && line.role === "assistant") {
      return [{ kind: "text", text: textIn(line.content) ?? "" }];
    }
    if (line.type === "tool_use") return [{ kind: "call", tool: textIn(line.tool_name) ?? "" }];
    if (line.type === "tool_result") return [{ kind: "called" }];
    return line.type === "result" ? resultNews(line) : [];
  },
  troubles: [
    { kind: "limited", pattern: /RESOURCE_EXHAUSTED|quota|\b429\b|rate limit/i },
    {
      kind: "logged-out",
      pattern: /API key not valid|UNAUTHENTICATED|\b401\b|auth method|please (log|sign) in/i,
    },
  ],
};

function resultNews(line: Readonly<Record<string, unknown>>): readonly News[] {
  const total: News = { kind: "total", tokens: numberIn(at(line, "stats").total_tokens) };
  if (line.status === "success") return [total, { kind: "done" }];
  const reason = textIn(at(line, "error").message) ?? "It failed without saying why.";
  return [total, { kind: "failed", reason }];
}
