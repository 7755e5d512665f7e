import type { DaemonPaths } from "../../daemon/index.ts";
import { SeamError, usageError } from "../../errors/index.ts";
import type { ServedTool } from "../../mcp/index.ts";
import { answerCrew, cancelRun, showRun, startRun, talkToCrew } from "./client.ts";
import type { TalkRequest } from "./talk.ts";

const text = (description: string) => ({ type: "string", description });

/** Tools for the members of a crew, and one for those who lead a crew. */
export function crewTools(paths: DaemonPaths): ServedTool[] {
  const member = (
    name: string,
    description: string,
    properties: Readonly<Record<string, object>>,
    required: readonly string[],
    say: (params: Readonly<Record<string, unknown>>) => TalkRequest,
  ): ServedTool => ({
    name,
    description,
    offeredTo: "members of a crew",
    parameters: { type: "object", properties, required, additionalProperties: false },
    run: async (params, { attempt }) => {
      if (attempt === undefined) throw new SeamError("SEAM_CREW_NOT_MEMBER");
      return (await talkToCrew(paths, { ...say(params), attempt })).text;
    },
  });
  return [
    member(
      "crew_send",
      "Say something to another task of your crew. It hears it at its next step.",
      {
        to: text('The id of a task, "all", or "user".'),
        text: text("What to say."),
        replyTo: text("The id of the message that this answers."),
      },
      ["to", "text"],
      ({ to, text: said, replyTo }) => ({
        say: "send",
        to: String(to),
        text: String(said),
        ...(typeof replyTo === "string" && { replyTo }),
      }),
    ),
    member(
      "crew_ask",
      "Ask a person something that your task needs to know.",
      { text: text("The question, with everything that is needed to answer it.") },
      ["text"],
      ({ text: said }) => ({ say: "ask", text: String(said) }),
    ),
    member("crew_status", "See the tasks of your crew and how far they are.", {}, [], () => ({
      say: "status",
    })),
    member(
      "crew_result",
      "Hand over the typed result of your task. It is checked at once.",
      { value: { description: "The result, as the task's schema wants it." } },
      ["value"],
      ({ value }) => ({ say: "result", value }),
    ),
    leadTool(paths),
  ];
}

/** Questions that are a person's alone: an agent that leads a crew must not agree in their place. */
const APPROVALS: readonly string[] = ["plan", "start", "merge", "checkout", "secrets"];

export function leadTool(paths: DaemonPaths): ServedTool {
  return {
    name: "crew",
    offeredTo: "others",
    description:
      "Lead a crew: several agents that work on one goal, each in a worktree of its own. start gives a run's id and does not wait for it; status shows how far it is and what its tasks found out; answer answers what its tasks ask; cancel ends it. Workflows that are always there: fix-bug, feature, research, review, migrate.",
    parameters: {
      type: "object",
      properties: {
        action: { enum: ["start", "status", "answer", "cancel"] },
        workflow: text("start: the name of a workflow, or the path of its file."),
        goal: text("start: what the crew is to achieve."),
        agents: {
          type: "array",
          items: { type: "string" },
          description:
            "start: who does what the workflow leaves open, best first: seam, claude-code, codex:gpt-5.",
        },
        run: text("status, cancel: the run's id; without it the last one."),
        question: text("answer: the question's id."),
        answer: text("answer: what you say."),
      },
      required: ["action"],
      additionalProperties: false,
    },
    run: (params, place) => lead(paths, params, place).catch(tellNextStep),
  };
}

/** A model sees what an error says and nothing else: what to do about it has to stand there too. */
function tellNextStep(error: unknown): never {
  if (!(error instanceof SeamError)) throw error;
  throw new Error(`${error.message}\n${error.next}`, { cause: error });
}

async function lead(
  paths: DaemonPaths,
  params: Readonly<Record<string, unknown>>,
  { cwd, attempt }: { readonly cwd: string; readonly attempt?: string },
): Promise<string> {
  const given = (name: string) => {
    const value = params[name];
    if (typeof value === "string" && value !== "") return value;
    throw usageError(`"${name}" is missing.`, `Call the tool again with "${name}".`);
  };
  if (attempt !== undefined) throw new SeamError("SEAM_CREW_NESTED");
  const run = typeof params.run === "string" ? params.run : "last";
  if (params.action === "start") {
    const agents = Array.isArray(params.agents) ? params.agents.map(String) : [];
    const request = { workflow: given("workflow"), goal: given("goal"), cwd };
    const started = await startRun(paths, { ...request, ...(agents.length > 0 && { agents }) });
    const begun = `The run ${started.run.id} has begun. Look at it with the action status.`;
    return [begun, ...started.warnings].join("\n");
  }
  if (params.action === "cancel")
    return `The run ${(await cancelRun(paths, run)).id} is cancelled.`;
  const report = await showRun(paths, run);
  if (params.action === "answer") {
    const id = given("question");
    const question = report.questions.find((one) => one.id === id);
    if (question && APPROVALS.includes(question.kind)) throw new SeamError("SEAM_CREW_APPROVAL");
    await answerCrew(paths, id, given("answer"));
    return "The answer is given.";
  }
  const tasks = report.tasks.map(({ id, title, state, reason, result }) => {
    const line = `${id}: ${state}${reason === undefined ? "" : ` (${reason})`}: ${title}`;
    return result === undefined ? line : `${line}\n${resultText(result)}`;
  });
  const open = report.questions.filter(({ answer }) => answer === undefined);
  const asks = open.map(
    ({ id, title, message }) => `waits for an answer to ${id}: ${title}\n${message}`,
  );
  const merged = report.tasks.some(({ mergedAs }) => mergedAs !== undefined);
  const { id, state, goal, target } = report.run;
  const where = merged ? [`What was merged is on the branch ${target}.`] : [];
  return [`${id}: ${state}: ${goal}`, ...tasks, ...where, ...asks].join("\n");
}

/** More of one result would fill the context of the one who leads. */
const LONGEST_RESULT = 8_000;

function resultText(result: unknown): string {
  const whole = typeof result === "string" ? result : JSON.stringify(result);
  if (whole.length <= LONGEST_RESULT) return whole;
  return `${whole.slice(0, LONGEST_RESULT)}\n[${whole.length - LONGEST_RESULT} more characters: seam crew show]`;
}
