import { agentNamed } from "../../agents/index.ts";
import { addUses, type Run, type RunReport, specOf } from "../../crew/index.ts";
import type { CrewCard, CrewRun, CrewTask } from "../api-crews.ts";

/** The page shows results, it does not store them. */
const MOST_OF_A_RESULT = 20_000;

export function cardOf(run: Run): CrewCard {
  const { id, goal, state, reason, repository, target, startedAt, endedAt, workflow } = run;
  return {
    id,
    goal,
    state,
    ...(reason !== undefined && { reason }),
    repository,
    target,
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    workflow: workflow.name,
  };
}

/** What the page shows of a run: the parts of each task together, without what only engines need. */
export function crewRunOf(report: RunReport): CrewRun {
  const { run, tasks, attempts, proofs, questions, messages } = report;
  return {
    ...cardOf(run),
    budget: run.budget,
    use: addUses(attempts.map(({ use }) => use)),
    questions,
    messages,
    tasks: tasks.map((task): CrewTask => {
      const {
        result,
        branch: _,
        run: __,
        spec: ___,
        retries: ____,
        refused: _____,
        ...rest
      } = task;
      const role = specOf(run.workflow, task, tasks)?.role;
      return {
        ...rest,
        ...(role !== undefined && { role }),
        ...(result !== undefined && { result: asText(result) }),
        attempts: attempts
          .filter((one) => one.task === task.id)
          .map(({ number, agent, model, session, use, end, startedAt, endedAt }) => ({
            number,
            agent,
            agentType: agentNamed(agent)?.type ?? agent,
            ...(model !== undefined && { model }),
            ...(session !== undefined && { session }),
            use,
            ...(end && { end: { kind: end.kind, ...("reason" in end && { reason: end.reason }) } }),
            startedAt,
            ...(endedAt !== undefined && { endedAt }),
          })),
        proofs: proofs
          .filter((one) => one.task === task.id)
          .map(({ place, passed, at, checks }) => ({
            place,
            passed,
            at,
            checks: checks.map(({ file: _file, ...check }) => check),
          })),
      };
    }),
  };
}

function asText(result: unknown): string {
  const text = typeof result === "string" ? result : JSON.stringify(result, null, 2);
  return text.length > MOST_OF_A_RESULT ? `${text.slice(0, MOST_OF_A_RESULT)}…` : text;
}
