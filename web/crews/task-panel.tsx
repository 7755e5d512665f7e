import type { CrewAttempt, CrewProof, CrewRun, CrewTask } from "../../src/view/api-crews.ts";
import type { Diff } from "../../src/view/api-history.ts";
import { Link } from "../app/link.tsx";
import { attempt } from "../app/notices.tsx";
import { get, post } from "../data/http.ts";
import { useLoad } from "../data/load.ts";
import { sessionAddress } from "../data/route.ts";
import { Changes } from "../diff/changes.tsx";
import { baseName, duration, many } from "../parts/format.ts";
import { Command, Shown } from "../parts/states.tsx";
import { lasted, useText } from "./run-page.tsx";
import { STATES } from "./states.ts";

interface Props {
  readonly run: CrewRun;
  readonly task: CrewTask;
  readonly again: () => void;
}

/** Everything about one task: who tried it, what Seam saw, what it changed, what was asked. */
export function TaskPanel({ run, task, again }: Props) {
  const { mark, word, tone } = STATES[task.state];
  const questions = run.questions.filter((one) => one.task === task.id);
  // The merge shows what the task brought; before it, its last commit is all there is.
  const changed = task.mergedAs ?? task.commit;
  const canRetry = task.state === "failed" || task.state === "cancelled";
  return (
    <section class="task-panel" aria-label={`Task ${task.id}`}>
      <h2>
        {task.title} {task.title !== task.id && <code class="faint">{task.id}</code>}
      </h2>
      <p class="run-line">
        <span class={tone}>
          {mark} {word}
        </span>
        <span>{task.role}</span>
        {task.round !== undefined && <span>round {task.round}</span>}
        <span>{useText(task.use)}</span>
        <span>{lasted(task)}</span>
        {canRetry && (
          <button
            type="button"
            onClick={() =>
              attempt(async () => {
                await post("api/crew/retry", { run: run.id, task: task.id });
                again();
              })
            }
          >
            Try again
          </button>
        )}
      </p>
      {task.reason && <p class="note">{task.reason}</p>}
      {task.item && <p class="note">About {task.item}</p>}
      {questions.map(({ id, title, message, answer }) => (
        <p key={id} class={answer === undefined ? "warning" : "note"}>
          {title} {message} {answer === undefined ? "It waits for you." : `Answered: ${answer}`}
        </p>
      ))}
      <h3 class="day">{many(task.attempts.length, "attempt")}</h3>
      <ul class="attempts">
        {task.attempts.map((one) => (
          <AttemptRow key={one.number} attempt={one} />
        ))}
      </ul>
      {task.state === "running" && <Command text={`seam crew attach ${run.id} ${task.id}`} />}
      {task.proofs.length > 0 && <h3 class="day">What Seam checked</h3>}
      {task.proofs.map((proof) => (
        <ProofRow key={`${proof.place} ${proof.at}`} proof={proof} />
      ))}
      {task.result !== undefined && (
        <>
          <h3 class="day">Result</h3>
          <pre class="result">{task.result}</pre>
        </>
      )}
      {changed !== undefined && <TaskChanges repository={run.repository} commit={changed} />}
    </section>
  );
}

function AttemptRow({ attempt: one }: { attempt: CrewAttempt }) {
  // A scripted model is named by the path of its script.
  const name = [one.agentType, one.model && baseName(one.model)].filter(Boolean).join(" ");
  return (
    <li class="run-line">
      <span>
        {one.number}.{" "}
        {one.session === undefined ? (
          name
        ) : (
          <Link to={sessionAddress({ agent: one.agent, session: one.session })}>{name}</Link>
        )}
      </span>
      <span>{useText(one.use)}</span>
      <span>{lasted(one)}</span>
      <span class={one.end === undefined ? "good" : "dim"}>
        {one.end === undefined
          ? "▸ works"
          : [one.end.kind, one.end.reason].filter(Boolean).join(": ")}
      </span>
    </li>
  );
}

const PLACES = { task: "on its own work", candidate: "on the merge" } as const;

function ProofRow({ proof }: { proof: CrewProof }) {
  return (
    <div class="proof">
      {proof.checks.map(({ command, exitCode, reason, output, milliseconds }) => (
        <details key={command} open={exitCode !== 0 && !proof.passed}>
          <summary>
            <span class={exitCode === 0 ? "good" : "bad"}>
              {exitCode === 0 ? "✓" : "✗"} {reason ?? `exit ${exitCode}`}
            </span>{" "}
            <code>{command}</code>{" "}
            <span class="faint">
              {PLACES[proof.place]} · {duration(milliseconds)}
            </span>
          </summary>
          <pre>{output.trim() || "It printed nothing."}</pre>
        </details>
      ))}
    </div>
  );
}

function TaskChanges({ repository, commit }: { repository: string; commit: string }) {
  const loaded = useLoad(`crew diff ${commit}`, (signal) =>
    get<Diff>("api/diff", { repository, commit }, signal),
  );
  return (
    <>
      <h3 class="day">Changes</h3>
      <Shown loaded={loaded}>{(changes) => <Changes {...changes} />}</Shown>
    </>
  );
}
