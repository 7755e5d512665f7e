import type { Headless, News } from "../headless/headless.ts";
import { at, textIn } from "../headless/line-fields.ts";
import { SERVER } from "../install/server-file.ts";
import { processHooks } from "./install.ts";

export const headless: Headless = {
  takesSessionId: false,
  takesSchema: true,
  confinesReaders: true,
  consent:
    "Codex is given Seam's hooks for the process alone (-c hooks…) and runs hooks without its own review of them (--dangerously-bypass-hook-trust), those of the project too. It works in its own sandbox, with network.",
  projectPrograms: [".codex"],
  start(task) {
    const { resume, model, schema, instructions, hooks, server } = task;
    const [program, ...rest] = server ?? [];
    const config = {
      approval_policy: "never",
      "sandbox_workspace_write.network_access": true,
      ...(instructions !== "" && { developer_instructions: instructions }),
      ...(hooks && processHooks(hooks.command)),
      ...(program !== undefined && {
        [`mcp_servers.${SERVER}`]: { command: program, args: rest, tool_timeout_sec: 600 },
      }),
    };
    return {
      stdin: task.prompt,
      args: [
        "exec",
        "--sandbox",
        task.access === "read" ? "read-only" : "workspace-write",
        ...(model !== undefined ? ["--model", model] : []),
        ...Object.entries(config).flatMap(([key, value]) => ["-c", `${key}=${toml(value)}`]),
        ...(hooks ? ["--dangerously-bypass-hook-trust"] : []),
        ...(resume !== undefined ? ["resume", resume] : []),
        "--json",
        "--skip-git-repo-check",
        ...(schema ? ["--output-schema", `${task.folder}/schema.json`] : []),
        "-",
      ],
    };
  },
  read(line): readonly News[] {
    const item = at(line, "item");
    const type = textIn(line.type);
    if (type === "thread.started") return [{ kind: "session", id: textIn(line.thread_id) ?? "" }];
    if (type === "item.started" && isCall(item)) return [{ kind: "call", tool: String(item.type) }];
    if (type === "item.completed") {
      if (item.type === "agent_message") return [{ kind: "text", text: textIn(item.text) ?? "" }];
      return isCall(item) ? [{ kind: "called" }] : [];
    }
    // The usage it prints is that of the whole session, also of earlier runs, so the transcript
    // counts.
    if (type === "turn.completed") return [{ kind: "done" }];
    if (type === "turn.failed") return [{ kind: "failed", reason: messageOf(at(line, "error")) }];
    return [];
  },
  troubles: [
    {
      kind: "limited",
      pattern: /hit your usage limit|usage limit reached|quota exceeded|rate limit|\b429\b/i,
    },
    {
      kind: "logged-out",
      pattern:
        /not logged in|please (log|sign) in|\b401\b|token (has )?expired|missing environment variable/i,
    },
  ],
};

/** What runs something, or changes files. */
const CALLS: ReadonlySet<unknown> = new Set([
  "command_execution",
  "file_change",
  "mcp_tool_call",
  "web_search",
]);

function isCall({ type }: Readonly<Record<string, unknown>>): boolean {
  return CALLS.has(type);
}

/** The provider's own words are JSON inside of the message. */
function messageOf(error: Readonly<Record<string, unknown>>): string {
  return textIn(error.message) ?? "It failed without saying why.";
}

/** A value as it can stand behind `-c name=`. JSON's strings and lists are TOML's as well. */
function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(([key, one]) => `${key}=${toml(one)}`);
    return `{${fields.join(",")}}`;
  }
  return JSON.stringify(value);
}
