import {
  type CrewEventName,
  EVENT_NAMES,
  type EventName,
  isCrewEvent,
} from "../../events/index.ts";
import { headlessUI } from "../../extensions/index.ts";
import type { ScriptedTurn } from "../models/index.ts";
import { skillFile, type TestProject } from "../resources/test-kit.ts";
import { type Hosted, type HostedOptions, hosted } from "./host.ts";
import { MCP_SERVER } from "./mcp-server.ts";
import { spareProvider } from "./spare-provider.ts";
import { addTool, text } from "./tools.ts";

/** Something to do with an agent that makes it fire certain events. */
export interface Scenario {
  /** What lies in the project. */
  readonly files?: Readonly<Record<string, string>>;
  readonly options: HostedOptions;
  act(hosted: Hosted): Promise<unknown>;
}

const ASK_TOOL: ScriptedTurn = { text: "Let me look", toolCalls: [{ name: "probe" }] };
/** Small enough that the last prompt and its answer are all that is kept. */
const KEEP_LITTLE = { compaction: { keepRecentTokens: 3 } };

const converse: Scenario = {
  options: {
    turns: [ASK_TOOL, { text: "Done" }],
    extend: (pi) =>
      addTool(pi, "probe", async (_id, _params, _signal, onUpdate) => {
        onUpdate?.(text("half"));
        return text("probed");
      }),
  },
  act: ({ agent }) => agent.prompt("Do it"),
};

const twice = async ({ agent }: Hosted) => {
  await agent.prompt("first");
  await agent.prompt("second");
};

const compact: Scenario = {
  options: { turns: [{ text: "One" }, { text: "Two" }, { text: "A summary" }], ...KEEP_LITTLE },
  act: async (one) => {
    await twice(one);
    await one.agent.compact();
  },
};

const compactInVain: Scenario = {
  ...compact,
  options: {
    turns: [{ text: "One" }, { text: "Two" }, { error: { message: "no", status: 400 } }],
    ...KEEP_LITTLE,
  },
};

const overflow: Scenario = {
  options: {
    turns: [
      { text: "One" },
      { error: { message: "prompt is too long", status: 400 } },
      { text: "A summary" },
      { text: "Two" },
    ],
    ...KEEP_LITTLE,
  },
  act: twice,
};

const retry: Scenario = {
  options: { turns: [{ error: { message: "busy", status: 529 } }, { text: "Done" }] },
  act: ({ agent }) => agent.prompt("Do it"),
};

const talk = { turns: [{ text: "One" }] };
const startAnew: Scenario = {
  options: talk,
  act: async ({ agent }) => {
    await agent.prompt("first");
    await agent.newSession();
  },
};
const fork: Scenario = {
  options: talk,
  act: async ({ agent }) => {
    await agent.prompt("first");
    await agent.fork(agent.session.getEntries()[0]?.id ?? "");
  },
};
const navigate: Scenario = {
  options: talk,
  act: async ({ agent }) => {
    await agent.prompt("first");
    await agent.navigateTree(agent.session.getEntries()[0]?.id ?? "");
  },
};

const select: Scenario = {
  options: {},
  act: async ({ agent, models }) => {
    await agent.setModel(models.resolve("scripted/script"));
    await agent.setThinkingLevel("high");
  },
};

const useSkill: Scenario = {
  files: { ".seam/skills/review/SKILL.md": skillFile("review") },
  options: talk,
  act: ({ agent }) => agent.prompt("/skill:review this"),
};

const breakRule: Scenario = {
  files: { ".seam/rules/no-any.md": "---\ncondition: ': any'\n---\nWrite a type." },
  options: { turns: [{ text: "let x: any" }, { text: "let x: number" }] },
  act: ({ agent }) => agent.prompt("Declare x"),
};

const stopEarly: Scenario = {
  options: {
    maxTodoReminders: 1,
    turns: [
      {
        toolCalls: [
          { name: "todo", arguments: { todos: [{ content: "build", status: "pending" }] } },
        ],
      },
      { text: "Enough" },
      { text: "Really" },
    ],
  },
  act: ({ agent }) => agent.prompt("Build"),
};

const delegate: Scenario = {
  options: {
    turns: [
      { toolCalls: [{ name: "subagent", arguments: { agent: "scout", task: "Look" } }] },
      { text: "Done" },
    ],
    extend: (pi) => addTool(pi, "subagent", async () => text("found it")),
  },
  act: ({ agent }) => agent.prompt("Delegate"),
};

const setGoal: Scenario = { options: {}, act: async ({ agent }) => agent.setGoal("Ship it") };
const userBash: Scenario = { options: {}, act: ({ agent }) => agent.bash("echo hi") };

const nameIt: Scenario = { options: {}, act: async ({ pi }) => pi.setSessionName("named") };
/** A gate asks about a call, and the tool asks as well. */
const askPerson: Scenario = {
  options: {
    turns: [ASK_TOOL, { text: "Done" }],
    ui: { ...headlessUI(), confirm: async () => true },
    extend: (pi) => {
      pi.on("tool_call", () => ({ ask: true, reason: "To be sure." }));
      addTool(pi, "probe", async (_id, _params, _signal, _onUpdate, ctx) =>
        text(String(await ctx.ui.confirm("Really?", ""))),
      );
    },
  },
  act: ({ agent }) => agent.prompt("Do it"),
};

/** A project with an extension that nobody agreed to. */
const meetProject: Scenario = {
  files: { ".seam/extensions/theirs.ts": "export default () => {};" },
  options: { ...talk, asksForTrust: true },
  act: ({ agent }) => agent.prompt("first"),
};

/** An MCP server that an extension registers, and whose tool the model calls. */
const useServer: Scenario = {
  files: { "server.mjs": MCP_SERVER },
  options: {
    turns: [
      { toolCalls: [{ name: "mcp__probe__echo", arguments: { text: "hi" } }] },
      { text: "Done" },
    ],
  },
  act: async ({ agent, pi }) => {
    pi.registerMcpServer("probe", { command: process.execPath, args: ["server.mjs"] });
    await agent.prompt("Do it");
  },
};

/** A model that is always busy, and one that stands in for it. */
const standIn: Scenario = {
  options: {
    retry: { maxRetries: 0, fallbackModels: ["backup/spare"] },
    turns: [{ error: { message: "busy", status: 529 } }],
    extend: (pi) => pi.registerProvider("backup", spareProvider("I am here.")),
  },
  act: ({ agent }) => agent.prompt("Do it"),
};

/** A login whose time is over and which its provider does not renew. */
const loseLogin: Scenario = {
  files: {
    "~/auth.json": JSON.stringify({
      backup: { type: "oauth", access: "a", refresh: "r", expires: 1 },
    }),
  },
  options: {
    extend: (pi) => {
      const oauth = {
        name: "Backup",
        login: async () => ({ access: "a", refresh: "r", expires: 1 }),
        refreshToken: async () => {
          throw new Error("revoked");
        },
        getApiKey: () => "key",
      };
      pi.registerProvider("backup", { ...spareProvider(""), oauth });
    },
  },
  act: ({ models }) => models.getApiKeyForProvider("backup"),
};

export type AgentEventName = Exclude<EventName, CrewEventName>;

/** The events that agents fire. */
export const AGENT_EVENTS = EVENT_NAMES.filter(
  (name): name is AgentEventName => !isCrewEvent(name),
);

/** For each of them, what makes the host fire it. */
export const SCENARIOS: Record<AgentEventName, Scenario> = {
  session_start: converse,
  resources_discover: converse,
  project_trust: meetProject,
  mcp_servers_change: useServer,
  mcp_notification: useServer,
  provider_stream_event: converse,
  credential_disabled: loseLogin,
  retry_fallback_applied: standIn,
  retry_fallback_succeeded: standIn,
  session_info_changed: nameIt,
  session_before_switch: startAnew,
  session_switch: startAnew,
  session_shutdown: startAnew,
  session_before_fork: fork,
  session_before_branch: fork,
  session_branch: fork,
  session_before_compact: compact,
  "session.compacting": compact,
  session_compact: compact,
  session_compact_failed: compactInVain,
  session_before_tree: navigate,
  session_tree: navigate,
  input: converse,
  user_bash: userBash,
  ui_prompt_start: askPerson,
  ui_prompt_end: askPerson,
  before_agent_start: converse,
  agent_start: converse,
  agent_end: converse,
  agent_before_settle: converse,
  session_stop: converse,
  agent_settled: converse,
  turn_start: converse,
  turn_end: converse,
  subagent_start: delegate,
  subagent_end: delegate,
  context: converse,
  context_with_system: converse,
  message_start: converse,
  message_update: converse,
  message_end: converse,
  before_provider_request: converse,
  before_provider_headers: converse,
  after_provider_response: converse,
  model_select: select,
  thinking_level_select: select,
  tool_call: converse,
  tool_admit: converse,
  tool_result: converse,
  tool_execution_start: converse,
  tool_execution_update: converse,
  tool_execution_end: converse,
  tool_approval_requested: askPerson,
  tool_approval_resolved: askPerson,
  before_tool_call_persist: converse,
  after_tool_call_persist: converse,
  skill_invoked: useSkill,
  auto_compaction_start: overflow,
  auto_compaction_end: overflow,
  auto_retry_start: retry,
  auto_retry_end: retry,
  ttsr_triggered: breakRule,
  todo_reminder: stopEarly,
  goal_updated: setGoal,
};

/** An agent in a project where the scenario can be played. */
export function stage(
  { files = {}, options }: Scenario,
  project: TestProject,
  more: HostedOptions = {},
): Promise<Hosted> {
  for (const [path, content] of Object.entries(files)) project.write(path, content);
  return hosted({ cwd: project.root, ...options, ...more });
}
