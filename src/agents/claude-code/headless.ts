import type { Headless, News } from "../headless/headless.ts";
import { at, numberIn, recordsIn, sumOf, textIn } from "../headless/line-fields.ts";
import { SERVER } from "../install/server-file.ts";
import { processSettings } from "./install.ts";

export const headless: Headless = {
  takesSessionId: true,
  takesSchema: true,
  consent:
    "Claude Code is given Seam's hooks for the process alone (--settings) and asks before no tool call (--permission-mode bypassPermissions): Seam's gate decides.",
  resumesOnlyInFolder: true,
  projectPrograms: [".claude/settings.json", ".claude/settings.local.json", ".mcp.json"],
  start(task) {
    const { session, resume, model, schema, dollars, instructions, hooks, server } = task;
    return {
      stdin: task.prompt,
      args: [
        "-p",
        "--output-format",
        "stream-json",
        "--verbose",
        // Seam's gate decides. A question on a terminal where nobody sits would be taken for a no.
        "--permission-mode",
        "bypassPermissions",
        ...(task.access === "read" ? ["--disallowedTools", "Edit,Write,NotebookEdit"] : []),
        ...(resume !== undefined ? ["--resume", resume] : []),
        ...(resume === undefined && session !== undefined ? ["--session-id", session] : []),
        ...(model !== undefined ? ["--model", model] : []),
        ...(schema ? ["--json-schema", JSON.stringify(schema)] : []),
        ...(dollars !== undefined && dollars > 0 ? ["--max-budget-usd", String(dollars)] : []),
        ...(instructions !== "" ? ["--append-system-prompt", instructions] : []),
        ...(hooks ? ["--settings", `${task.folder}/settings.json`] : []),
        ...(server ? ["--mcp-config", `${task.folder}/mcp.json`] : []),
      ],
      files: {
        ...(hooks && { "settings.json": processSettings(hooks.command) }),
        ...(server && {
          "mcp.json": JSON.stringify({
            mcpServers: { [SERVER]: { command: server[0], args: server.slice(1) } },
          }),
        }),
      },
    };
  },
  read(line): readonly News[] {
    if (line.type === "system") return sessionIn(line);
    if (line.type === "assistant") return assistantNews(at(line, "message"));
    if (line.type === "user") {
      const content = recordsIn(at(line, "message").content);
      return content.some(({ type }) => type === "tool_result") ? [{ kind: "called" }] : [];
    }
    if (line.type === "rate_limit_event") return limitIn(at(line, "rate_limit_info"));
    return line.type === "result" ? resultNews(line) : [];
  },
  troubles: [
    {
      kind: "limited",
      pattern:
        /(usage|session|weekly|daily|hour|spend(ing)?) limit (reached|hit)|hit your .{0,40}limit/i,
    },
    { kind: "limited", pattern: /\b429\b|rate_limit_error|overloaded_error/ },
    {
      kind: "logged-out",
      pattern:
        /please run \/login|not logged in|invalid api key|oauth token (has )?(expired|been revoked)|authentication_error|credit balance is too low/i,
    },
  ],
};

function sessionIn(line: Readonly<Record<string, unknown>>): readonly News[] {
  const id = textIn(line.session_id);
  return line.subtype === "init" && id !== undefined ? [{ kind: "session", id }] : [];
}

/** The same message comes once for each of its blocks, with the same usage. */
function assistantNews(message: Readonly<Record<string, unknown>>): readonly News[] {
  const id = textIn(message.id);
  const usage = at(message, "usage");
  const tokens = sumOf(
    usage,
    "input_tokens",
    "output_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
  );
  const said = recordsIn(message.content).flatMap((block): News[] => {
    if (block.type === "text") return [{ kind: "text", text: textIn(block.text) ?? "" }];
    return block.type === "tool_use" ? [{ kind: "call", tool: textIn(block.name) ?? "" }] : [];
  });
  return tokens > 0 ? [...said, { kind: "use", tokens, ...(id !== undefined && { id }) }] : said;
}

function limitIn(info: Readonly<Record<string, unknown>>): readonly News[] {
  if (info.status !== "rejected") return [];
  const resets = numberIn(info.resetsAt);
  const reason = "Claude Code has reached a usage limit.";
  return [
    {
      kind: "limited",
      reason,
      ...(resets > 0 && { until: new Date(resets * 1000).toISOString() }),
    },
  ];
}

function resultNews(line: Readonly<Record<string, unknown>>): readonly News[] {
  const dollars = line.total_cost_usd;
  const total: News = {
    kind: "total",
    ...(typeof dollars === "number" && { dollars }),
  };
  const text = textIn(line.result) ?? "";
  if (line.is_error === true || line.subtype !== "success") {
    const why =
      text ||
      recordsIn(line.errors)
        .map((one) => JSON.stringify(one))
        .join("; ");
    return [total, { kind: "failed", reason: why || String(line.subtype ?? "an error") }];
  }
  const result = line.structured_output;
  return [total, { kind: "done", text, ...(result !== undefined && { result }) }];
}
