import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { type ExtensionAPI, type ExtensionContext, Type } from "agentseam";
import { type AgentFile, findAgents } from "./agents.ts";
import { outcomeOf, startInBackground } from "./background.ts";
import { runChild, type Surroundings } from "./child.ts";
import { answerOf, progressOf, resultOf } from "./report.ts";
import { newRun, type Run } from "./run.ts";
import { atMost, inTurn, type Shape, shapeOf } from "./schedule.ts";

const MOST_AT_ONCE = 4;
const OWN_FOLDER = fileURLToPath(new URL(".", import.meta.url));
const NOT_THERE = "In the background these extensions would not be loaded, so nothing was started";

const Task = Type.Object({ agent: Type.String(), task: Type.String() });
const PARAMETERS = Type.Object({
  agent: Type.Optional(Type.String({ description: "One task: who works on it" })),
  task: Type.Optional(Type.String({ description: "One task: what to do" })),
  tasks: Type.Optional(Type.Array(Task, { description: "Several tasks at the same time" })),
  chain: Type.Optional(
    Type.Array(Task, { description: "One after the other; {previous} is the result before" }),
  ),
  background: Type.Optional(
    Type.Boolean({ description: "Do not wait: a crew does it, each in a worktree of its own" }),
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
 * With `background: true` the tasks become a run of a [crew](../../docs/crews.md): the tool returns
 * at once, each task works in a git worktree of its own and goes on when this session ends, and
 * what they found out is told to the model when all are done. What they changed waits on a branch
 * for `seam crew land`. Extensions given with `-e` would not be loaded there, so with any of them but
 * this one nothing is started.
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

  const ending = new AbortController();
  pi.on("session_shutdown", () => ending.abort());

  /** Starts a crew, and tells the model what became of it, if this session is still there then. */
  async function inBackground(shape: Shape, agents: readonly AgentFile[], ctx: ExtensionContext) {
    const { cwd } = ctx;
    // A gate that was given to this run alone would be missing there.
    const lost = givenFiles(pi).filter((file) => !file.startsWith(OWN_FOLDER));
    if (lost.length > 0) throw new Error(`${NOT_THERE}: ${lost.join(", ")}`);
    const id = await startInBackground(shape, agents, { cwd, model: currentModel(ctx) });
    void outcomeOf(id, cwd, ending.signal)
      .catch(
        (error: Error) => `What became of the subagents of ${id} is not known: ${error.message}`,
      )
      .then((content) => {
        if (ending.signal.aborted) return;
        const message = { customType: "subagent", content, display: true };
        pi.sendMessage(message, { triggerTurn: true, deliverAs: "followUp" });
      });
    const text = `They work in the background, as the run ${id}. You are told when they are done; until then: seam crew status ${id}`;
    return { content: [{ type: "text" as const, text }], details: { mode: shape.mode, run: id } };
  }

  pi.registerTool({
    name: "subagent",
    label: "Subagent",
    description:
      "Hands work to other agents that start without this conversation: say all they need to know. " +
      "Give agent and task, or tasks (at the same time), or chain (one after the other). " +
      "With background they work while you go on, and you are told when they are done.",
    promptSnippet: "Hand a task to another agent",
    parameters: PARAMETERS,
    async execute(_toolCallId, params, signal, onUpdate, ctx) {
      const shape = shapeOf(params);
      const { mode, tasks } = shape;
      const agents = findAgents(ctx.cwd, ctx.isProjectTrusted());
      if (params.background) return inBackground(shape, agents, ctx);
      const runs = tasks.map(({ agent, task }) => newRun(agent, task));
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
  ctx: ExtensionContext,
) {
  const { cwd } = ctx;
  const model = currentModel(ctx);
  return async (run: Run) => {
    const agent = agents.find(({ name }) => name === run.agent);
    if (agent) return runChild(run, agent, { ...around, cwd, model });
    run.status = "failed";
    run.error = `There is no agent "${run.agent}". ${listOf(agents)}`;
  };
}

function currentModel({ model }: ExtensionContext): string | undefined {
  return model && `${model.provider}/${model.id}`;
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
