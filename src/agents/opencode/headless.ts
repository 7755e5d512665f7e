import type { Headless, News } from "../headless/headless.ts";
import { at, numberIn, sumOf, textIn } from "../headless/line-fields.ts";
import { SERVER } from "../install/server-file.ts";
import { opencodePlugin } from "./plugin.ts";

const PLUGIN = "agentseam.js";

export const headless: Headless = {
  takesSessionId: false,
  takesSchema: false,
  consent:
    "OpenCode is given Seam's plugin for the process alone (OPENCODE_CONFIG_CONTENT) and asks before no tool call (--auto): Seam's gate decides.",
  projectPrograms: ["opencode.json", "opencode.jsonc", ".opencode"],
  start(task) {
    const { resume, model, hooks, server, instructions, folder } = task;
    const content = {
      ...(hooks && { plugin: [`file://${folder}/${PLUGIN}`] }),
      ...(server && { mcp: { [SERVER]: { type: "local", command: server, enabled: true } } }),
      ...(instructions !== "" && { instructions: [`${folder}/instructions.md`] }),
      ...(task.access === "read" && { permission: { edit: "deny" } }),
    };
    return {
      stdin: task.prompt,
      args: [
        "run",
        "--format",
        "json",
        "--auto",
        ...(model !== undefined ? ["--model", model] : []),
        ...(resume !== undefined ? ["--session", resume] : []),
      ],
      env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(content) },
      files: {
        ...(hooks && { [PLUGIN]: opencodePlugin() }),
        ...(instructions !== "" && { "instructions.md": instructions }),
      },
    };
  },
  read(line): readonly News[] {
    const part = at(line, "part");
    const id = textIn(line.sessionID);
    const session: News[] = id === undefined ? [] : [{ kind: "session", id }];
    if (line.type === "text") return [...session, { kind: "text", text: textIn(part.text) ?? "" }];
    if (line.type === "tool_use") {
      return [...session, { kind: "call", tool: textIn(part.tool) ?? "" }, { kind: "called" }];
    }
    if (line.type === "step_finish") {
      const tokens = at(part, "tokens");
      const cache = at(tokens, "cache");
      const dollars = numberIn(part.cost);
      const use: News = {
        kind: "use",
        tokens: sumOf(tokens, "input", "output", "reasoning") + sumOf(cache, "read", "write"),
        ...(dollars > 0 && { dollars }),
      };
      return part.reason === "stop" ? [...session, use, { kind: "done" }] : [...session, use];
    }
    if (line.type === "error") {
      const error = at(line, "error");
      const reason = textIn(at(error, "data").message) ?? textIn(error.name) ?? "It failed.";
      return [...session, { kind: "failed", reason }];
    }
    return session;
  },
  troubles: [
    { kind: "limited", pattern: /rate.?limit|quota|\b429\b|overloaded|usage limit/i },
    { kind: "logged-out", pattern: /\b401\b|unauthori[sz]ed|invalid.{0,10}api.?key|auth login/i },
  ],
};
