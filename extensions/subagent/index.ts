import { isAbsolute } from "node:path";
import { type ExtensionAPI, type ExtensionContext, Type } from "agentseam";
import { type AgentFile, findAgents } from "./agents.ts";
import { runChild, type Surroundings } from "./child.ts";
import { answerOf, progressOf, resultOf } from "./report.ts";
import { newRun, type Run } from "./run.ts";
import { atMost, inTurn, shapeOf } from "./schedule.ts";

const MOST_AT_ONCE = 4;

const Task = Type.Object({ agent: Type.String(), task: Type.String() });
const PARAMETERS = Type.Object({
  agent: Type.Optional(Type.String({ description: "One task: who works on it" })),
  task: Type.Optional(Type.String({ description: "One task: what to do" })),
  tasks: Type.Optional(Type.Array(Task, { description: "Several tasks at the same time" })),
  chain: Type.Optional(
    Type.Array(Task, { description: "One after the other; {previous} is the result before" }),
  ),
});

/**
 * Hands tasks to other agents, each in a process and a context window of its own: one task,
 * several at the same time, or a chain in which each step gets the result of the one before.
 * Agents are Markdown files in `.seam/agents` and `~/.seam/agents`:
 *
 *     ---
 *     name: scout
 *     description: Finds out where things are
 *     tools: read, grep, find, ls
 *     model: anthropic/claude-haiku-4-5
 *     ---
 *     Answer with paths and line numbers. Change nothing.
 *
 * Children load the same extensions: those of the usual places and those given with `-e`, so a gate
 * holds for them too. Only what a program brought as a function is not handed on, and values of
 * flags are not. `SEAM_SUBAGENT_CLI` names another Seam to start.
 *
 * Shows: a tool with progress (`onUpdate`), abort and `details`; child processes;
 * `before_agent_start` to tell the model what there is.
 *
 * @example
 * seam run -e extensions/subagent -p "Let scout find out how sessions are stored"
 */
export default function subagent(pi: ExtensionAPI) {
  // Subagents work; they do not hand work on.
  if (process.env.SEAM_SUBAGENT) return;

  pi.on("before_agent_start", ({ systemPrompt }, ctx) => {
    const agents = findAgents(ctx.cwd, ctx.isProjectTrusted());
    if (agents.length === 0 || !pi.getActiveTools().includes("subagent")) return;
    return { systemPrompt: `${systemPrompt}\n\n# Subagents\n\n${listOf(agents)}` };
  });

  pi.registerTool({
    name: "subagent",
    label: "Subagent",
    description:
      "Hands work to other agents that start without this conversation: say all they need to know. " +
      "Give agent and task, or tasks (at the same time), or chain (one after the other).",
    promptSnippet: "Hand a task to another agent",
    parameters: PARAMETERS,
    async execute(_toolCallId, params, signal, onUpdate, ctx) {
      const { mode, tasks } = shapeOf(params);
      const runs = tasks.map(({ agent, task }) => newRun(agent, task));
      const agents = findAgents(ctx.cwd, ctx.isProjectTrusted());
      const extensions = givenFiles(pi);
      const onProgress = () => onUpdate?.(progressOf(mode, runs));
      const work = worker(agents, { extensions, signal, onProgress }, ctx);
      if (mode === "parallel") await atMost(MOST_AT_ONCE, runs, work);
      else await inTurn(runs, work, answerOf);
      return resultOf(mode, runs);
    },
  });
}

/** Works on a run with the agent it names. */
function worker(
  agents: readonly AgentFile[],
  around: Omit<Surroundings, "cwd" | "model">,
  { cwd, model }: ExtensionContext,
) {
  const current = model && `${model.provider}/${model.id}`;
  return async (run: Run) => {
    const agent = agents.find(({ name }) => name === run.agent);
    if (agent) return runChild(run, agent, { ...around, cwd, model: current });
    run.status = "failed";
    run.error = `There is no agent "${run.agent}". ${listOf(agents)}`;
  };
}

/** Extensions that are only here because this run was given their files. */
function givenFiles(pi: ExtensionAPI): string[] {
  return pi
    .getExtensions()
    .filter(({ sourceInfo }) => sourceInfo.scope === "temporary" && isAbsolute(sourceInfo.path))
    .map(({ sourceInfo }) => sourceInfo.path);
}

function listOf(agents: readonly AgentFile[]): string {
  if (agents.length === 0) return "There are none: put Markdown files into .seam/agents.";
  return agents.map(({ name, description }) => `- ${name}: ${description}`).join("\n");
}
