import type { Headless, News } from "../headless/headless.ts";
import { at, numberIn, sumOf, textIn } from "../headless/line-fields.ts";
import { processHooks } from "./install.ts";

export const headless: Headless = {
  takesSessionId: false,
  takesSchema: false,
  consent:
    "Factory Droid is given Seam's hooks for the process alone (--settings) and asks before no tool call (--auto high): Seam's gate decides.",
  projectPrograms: [
    ".factory/settings.json",
    ".factory/settings.local.json",
    ".factory/hooks.json",
    ".factory/mcp.json",
  ],
  start(task) {
    const { resume, model, hooks, instructions, folder } = task;
    return {
      stdin: "",
      args: [
        "exec",
        "--output-format",
        "stream-json",
        // Without this flag Droid only reads.
        ...(task.access === "write" ? ["--auto", "high"] : []),
        ...(model !== undefined ? ["--model", model] : []),
        ...(resume !== undefined ? ["--session-id", resume] : []),
        ...(instructions !== "" ? ["--append-system-prompt", instructions] : []),
        ...(hooks ? ["--settings", `${folder}/settings.json`] : []),
        "--file",
        `${folder}/prompt.txt`,
      ],
      files: {
        "prompt.txt": task.prompt,
        ...(hooks && { "settings.json": processHooks(hooks.command) }),
      },
    };
  },
  read(line): readonly News[] {
    const id = textIn(line.session_id);
    if (line.type === "system") return id === undefined ? [] : [{ kind: "session", id }];
    if (line.type === "message" && line.role === "assistant") {
      return [{ kind: "text", text: textIn(line.text) ?? "" }];
    }
    if (line.type === "tool_call") return [{ kind: "call", tool: textIn(line.toolName) ?? "" }];
    if (line.type === "tool_result") return [{ kind: "called" }];
    if (line.type === "completion") return completionNews(line);
    if (line.type === "error") {
      return [{ kind: "failed", reason: textIn(line.message) ?? "It failed without saying why." }];
    }
    return [];
  },
  troubles: [
    { kind: "limited", pattern: /rate.?limit|quota|\b429\b|\b402\b|usage limit|token limit/i },
    { kind: "logged-out", pattern: /please login|not logged in|\b401\b|FACTORY_API_KEY/i },
  ],
};

function completionNews(line: Readonly<Record<string, unknown>>): readonly News[] {
  const tokens = sumOf(
    at(line, "usage"),
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
  );
  const total: News = { kind: "total", tokens, calls: numberIn(line.numTurns) };
  return [total, { kind: "done", text: textIn(line.finalText) ?? "" }];
}
