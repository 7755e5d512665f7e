import type { AgentName } from "../drive/agent.ts";

interface Hook {
  /** Where payloads are kept. */
  readonly folder: string;
  /** What keeps the payload of an event that comes on stdin. */
  command(event: string): string;
}

interface Probe {
  /** In the project. */
  readonly file: string;
  content(hook: Hook): string;
  /** The agent's own names. */
  readonly events: Readonly<Record<"start" | "prompt" | "before" | "after" | "stop", string>>;
}

const CLAUDE_NAMES = {
  start: "SessionStart",
  prompt: "UserPromptSubmit",
  before: "PreToolUse",
  after: "PostToolUse",
  stop: "Stop",
};

/** Claude Code's form, which others took over. */
function nested(events: Probe["events"], matcher?: string): Probe["content"] {
  return ({ command }) => {
    const group = (event: string) => ({
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{ type: "command", command: command(event) }],
    });
    const hooks = Object.values(events).map((event) => [event, [group(event)]]);
    return JSON.stringify({ hooks: Object.fromEntries(hooks) }, null, 2);
  };
}

const GEMINI_EVENTS = {
  start: "SessionStart",
  prompt: "BeforeAgent",
  before: "BeforeTool",
  after: "AfterTool",
  stop: "AfterAgent",
};

const COPILOT_EVENTS = {
  start: "sessionStart",
  prompt: "userPromptSubmitted",
  before: "preToolUse",
  after: "postToolUse",
  stop: "agentStop",
};

/** What a plugin does to keep a payload; `keep` in the text of both plugins. */
const keep = (folder: string) => `import { writeFileSync } from "node:fs";
let kept = 0;
function keep(event, payload) {
  kept += 1;
  const name = Date.now() + String(kept).padStart(6, "0") + "-" + process.pid + "-" + event;
  writeFileSync(${JSON.stringify(`${folder}/`)} + name + ".json", JSON.stringify(payload));
}
`;

export const PROBES: Readonly<Record<AgentName, Probe>> = {
  "claude-code": {
    file: ".claude/settings.json",
    events: CLAUDE_NAMES,
    content: nested(CLAUDE_NAMES),
  },
  codex: { file: ".codex/hooks.json", events: CLAUDE_NAMES, content: nested(CLAUDE_NAMES) },
  "copilot-cli": {
    file: ".github/hooks/probe.json",
    events: COPILOT_EVENTS,
    content({ command }) {
      const hooks = Object.values(COPILOT_EVENTS).map((event) => [
        event,
        [{ type: "command", bash: command(event), timeoutSec: 10 }],
      ]);
      return JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) }, null, 2);
    },
  },
  "factoryai-droid": {
    file: ".factory/settings.json",
    events: CLAUDE_NAMES,
    content: nested(CLAUDE_NAMES),
  },
  gemini: {
    file: ".gemini/settings.json",
    events: GEMINI_EVENTS,
    content: nested(GEMINI_EVENTS, "*"),
  },
  opencode: {
    file: ".opencode/plugin/probe.js",
    events: {
      start: "session.created",
      prompt: "chat.message",
      before: "tool.execute.before",
      after: "tool.execute.after",
      stop: "session.idle",
    },
    content: ({ folder }) => `${keep(folder)}
export const Probe = async () => ({
  event: async ({ event }) => keep(event.type, event),
  "chat.message": async (input, output) => keep("chat.message", { input, output }),
  "tool.execute.before": async (input, output) => keep("tool.execute.before", { input, output }),
  "tool.execute.after": async (input, output) => keep("tool.execute.after", { input, output }),
});
`,
  },
  pi: {
    file: ".pi/extensions/probe.js",
    events: {
      start: "session_start",
      prompt: "input",
      before: "tool_call",
      after: "tool_result",
      stop: "agent_end",
    },
    content: ({ folder }) => `${keep(folder)}
export default function (pi) {
  for (const event of ["session_start", "input", "tool_call", "tool_result", "agent_end"]) {
    pi.on(event, (payload) => keep(event, payload));
  }
}
`,
  },
};
