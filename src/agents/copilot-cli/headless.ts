import type { Headless, News } from "../headless/headless.ts";
import { at, recordsIn, sumOf, textIn } from "../headless/line-fields.ts";
import { withInstructions } from "../headless/with-instructions.ts";
import { SERVER } from "../install/server-file.ts";
import { processHooks } from "./install.ts";

const PLUGIN = "agentseam-plugin";

export const headless: Headless = {
  takesSessionId: true,
  takesSchema: false,
  consent:
    "Copilot CLI is given Seam's hooks as a plugin for the process alone (--plugin-dir) and asks before no tool call (--allow-all-tools): Seam's gate decides.",
  start(task) {
    const { session, resume, model, hooks, server } = task;
    const [command, ...args] = server ?? [];
    return {
      stdin: withInstructions(task),
      args: [
        "--output-format",
        "json",
        "--allow-all-tools",
        ...(task.access === "read" ? ["--deny-tool", "write"] : []),
        ...(model !== undefined ? ["--model", model] : []),
        ...(resume !== undefined ? [`--resume=${resume}`] : []),
        ...(resume === undefined && session !== undefined ? [`--session-id=${session}`] : []),
        ...(hooks ? ["--plugin-dir", `${task.folder}/${PLUGIN}`] : []),
        ...(server ? ["--additional-mcp-config", `@${task.folder}/mcp.json`] : []),
      ],
      files: {
        ...(hooks && {
          [`${PLUGIN}/plugin.json`]: JSON.stringify({
            name: "agentseam",
            description: "Seam's hooks, for this process",
            version: "1.0.0",
            hooks: "hooks.json",
          }),
          [`${PLUGIN}/hooks.json`]: processHooks(hooks.command),
        }),
        ...(command !== undefined && {
          "mcp.json": JSON.stringify({
            mcpServers: { [SERVER]: { type: "local", command, args, tools: ["*"] } },
          }),
        }),
      },
    };
  },
  read(line): readonly News[] {
    const data = at(line, "data");
    const type = textIn(line.type);
    if (type === "session.start") return [{ kind: "session", id: textIn(data.sessionId) ?? "" }];
    if (type === "assistant.message") {
      const text = textIn(data.content) ?? "";
      const calls = recordsIn(data.toolRequests).map(
        ({ name }): News => ({ kind: "call", tool: textIn(name) ?? "" }),
      );
      return [...(text === "" ? [] : [{ kind: "text", text } as const]), ...calls];
    }
    if (type === "tool.execution_complete") return [{ kind: "called" }];
    if (type === "assistant.usage") {
      const tokens = sumOf(data, "inputTokens", "outputTokens");
      return [{ kind: "use", tokens }];
    }
    if (type === "session.error") {
      return [{ kind: "failed", reason: textIn(data.message) ?? "It failed without saying why." }];
    }
    if (type === "result") {
      const id = textIn(line.sessionId);
      const news: News[] = id === undefined ? [] : [{ kind: "session", id }];
      return [...news, { kind: "done" }];
    }
    return [];
  },
  troubles: [
    { kind: "limited", pattern: /quota|rate limit|\b429\b|premium requests? limit|\b402\b/i },
    {
      kind: "logged-out",
      pattern:
        /no authentication information|not (logged|signed) in|\b401\b|\/login|access denied/i,
    },
  ],
};
