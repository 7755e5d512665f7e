import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentFile } from "./agents.ts";
import type { Shape } from "./schedule.ts";
import { seamCommand } from "./seam-command.ts";

const LONGEST_GOAL = 300;
const LONGEST_OUTPUT = 64 * 1024 * 1024;

interface Place {
  readonly cwd: string;
  /** For agents that name none. */
  readonly model: string | undefined;
}

/** Hands tasks to a crew: they go on without this session. Gives the id of the run. */
export async function startInBackground(
  shape: Shape,
  agents: readonly AgentFile[],
  { cwd, model }: Place,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "subagents-"));
  try {
    const file = join(folder, "subagents.workflow.md");
    writeFileSync(file, workflowOf(shape, agents, model));
    const goal = `What was handed to ${shape.tasks.map(({ agent }) => agent).join(", ")}`;
    const args = ["crew", "run", file, goal.slice(0, LONGEST_GOAL), "--detach", "--json"];
    const { run } = JSON.parse(await seam(args, cwd)) as { run: { id: string } };
    return run.id;
  } finally {
    // A run keeps what it was started with.
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits for a run to end, and says what became of it. */
export async function outcomeOf(run: string, cwd: string, signal: AbortSignal): Promise<string> {
  await seam(["crew", "status", run, "--follow", "--json"], cwd, signal);
  const { run: ended, tasks } = JSON.parse(await seam(["crew", "show", run, "--json"], cwd)) as {
    run: { state: string; target: string };
    tasks: { title: string; state: string; reason?: string; result?: unknown; mergedAs?: string }[];
  };
  const parts = tasks.map(({ title, state, reason, result }) => {
    const said = typeof result === "string" ? result : JSON.stringify(result);
    return `## ${title}: ${state}\n\n${said ?? reason ?? "It said nothing."}`;
  });
  const isMerged = tasks.some(({ mergedAs }) => mergedAs !== undefined);
  const where = `What they changed is on the branch ${ended.target}: seam crew land ${run}`;
  return [
    `The subagents of ${run} are ${ended.state}.`,
    ...parts,
    ...(isMerged ? [where] : []),
  ].join("\n\n");
}

/**
 * The tasks as a workflow. All that the model said stands in quotes, on one line: a heading or a
 * command in it stays text.
 */
function workflowOf(
  { mode, tasks }: Shape,
  agents: readonly AgentFile[],
  model: string | undefined,
): string {
  const sections = tasks.map(({ agent: name, task }, at) => {
    const agent = agents.find((one) => one.name === name);
    if (!agent) throw new Error(`There is no agent "${name}".`);
    const previous = mode === "chain" && at > 0 ? `task-${at}` : undefined;
    const filled = task.replaceAll("{previous}", previous ? `{results.${previous}}` : "");
    const own = agent.model ?? model;
    const keys = {
      title: `${at + 1}. ${name}`,
      role: mayWrite(agent) ? "executor" : "explorer",
      agent: own === undefined ? "seam" : `seam:${own}`,
      task: [agent.prompt, filled].filter(Boolean).join("\n\n"),
      expects: "result",
      onFail: mode === "parallel" ? "continue" : "stop",
      ...(previous !== undefined && { dependsOn: previous }),
    };
    const lines = Object.entries(keys).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    return `## task-${at + 1}\n${lines.join("\n")}\n`;
  });
  return `---\nname: subagents\ndescription: Tasks that a model handed over\n---\n\n${sections.join("\n")}`;
}

/** Without a tool that writes, a subagent only looks, and the crew holds it to that. */
function mayWrite({ tools }: AgentFile): boolean {
  return tools === undefined || tools.some((tool) => tool === "write" || tool === "edit");
}

function seam(args: string[], cwd: string, signal?: AbortSignal): Promise<string> {
  const [program, ...first] = seamCommand();
  const options = { cwd, maxBuffer: LONGEST_OUTPUT, ...(signal && { signal }) };
  return new Promise((resolve, reject) => {
    execFile(program, [...first, ...args], options, (error, stdout, stderr) => {
      if (!error) resolve(stdout);
      else reject(new Error(stderr.trim() || error.message));
    }).stdin?.end();
  });
}
