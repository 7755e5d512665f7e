import type { CrewRun, CrewTask } from "../../src/view/api-crews.ts";
import { Boundary } from "../app/boundary.tsx";
import { Link } from "../app/link.tsx";
import { attempt } from "../app/notices.tsx";
import { Page } from "../app/page.tsx";
import { Top } from "../app/top.tsx";
import { clock } from "../data/clock.ts";
import { get, post } from "../data/http.ts";
import { useLoad } from "../data/load.ts";
import { address, setQuery, viewAddress } from "../data/route.ts";
import { Inbox } from "../now/inbox.tsx";
import { duration, many, money, short } from "../parts/format.ts";
import { Scrollable } from "../parts/scrollable.tsx";
import { Command, Shown } from "../parts/states.tsx";
import { isUnderWay, useLooking } from "./crews-view.tsx";
import { layOut, NODE } from "./graph-layout.ts";
import { Messages } from "./messages.tsx";
import { STATES } from "./states.ts";
import { TaskPanel } from "./task-panel.tsx";

/** One run as a board: its graph, and the task that was chosen. */
export function RunPage({ id }: { id: string }) {
  const loaded = useLoad(`crew ${id}`, (signal) => get<CrewRun>("api/crew", { run: id }, signal));
  const { value } = loaded;
  useLooking(value === undefined || isUnderWay(value), loaded.again);
  return (
    <>
      <Top title={value?.goal ?? "Crew"} {...(value && { about: value.workflow })}>
        {value && <RunActions run={value} again={loaded.again} />}
      </Top>
      <Inbox />
      <Page>
        <Link class="small" to={viewAddress("crews")}>
          All crews
        </Link>
        <Boundary what="The board">
          <Shown loaded={loaded}>{(run) => <Board run={run} again={loaded.again} />}</Shown>
        </Boundary>
      </Page>
    </>
  );
}

function RunActions({ run, again }: { run: CrewRun; again: () => void }) {
  const act = (what: "cancel" | "resume") =>
    attempt(async () => {
      await post(`api/crew/${what}`, { run: run.id });
      again();
    });
  if (isUnderWay(run)) {
    return (
      <button type="button" onClick={() => act("cancel")}>
        Cancel
      </button>
    );
  }
  if (run.state === "done") return null;
  return (
    <button type="button" onClick={() => act("resume")}>
      Go on
    </button>
  );
}

function Board({ run, again }: { run: CrewRun; again: () => void }) {
  const { task: wanted } = address.value.query;
  const chosen = run.tasks.find(({ id }) => id === wanted);
  const { mark, word, tone } = STATES[run.state];
  return (
    <>
      <p class="run-line">
        <span class={tone}>
          {mark} {word}
        </span>
        <span>{many(run.tasks.length, "task")}</span>
        <span>{useText(run.use, run.budget)}</span>
        <span>{lasted(run)}</span>
        <code class="cut">{run.target}</code>
      </p>
      {run.reason && <p class="note">{run.reason}</p>}
      <TaskGraph tasks={run.tasks} chosen={chosen?.id} />
      {chosen && <TaskPanel run={run} task={chosen} again={again} />}
      <Messages messages={run.messages} of={chosen?.id} />
      {run.state === "done" && (
        <p class="note">
          The result is on its own branch. To bring it to yours:{" "}
          <Command text={`seam crew land ${run.id}`} />
        </p>
      )}
    </>
  );
}

function TaskGraph(props: { tasks: readonly CrewTask[]; chosen: string | undefined }) {
  const { nodes, edges, width, height } = layOut(props.tasks);
  return (
    <Scrollable class="graph" label="Tasks">
      <div class="graph-paper" style={{ width: `${width}px`, height: `${height}px` }}>
        <svg width={width} height={height} aria-hidden="true">
          {edges.map(({ from, to, path }) => (
            <path key={`${from} ${to}`} d={path} />
          ))}
        </svg>
        {nodes.map(({ task, x, y }) => (
          <TaskNode key={task.id} task={task} x={x} y={y} isChosen={task.id === props.chosen} />
        ))}
      </div>
    </Scrollable>
  );
}

function TaskNode(props: { task: CrewTask; x: number; y: number; isChosen: boolean }) {
  const { task, x, y, isChosen } = props;
  const { mark, word, tone } = STATES[task.state];
  const last = task.attempts.at(-1);
  return (
    <button
      type="button"
      class="task-node"
      data-state={task.state}
      aria-pressed={isChosen}
      style={{
        left: `${x}px`,
        top: `${y}px`,
        width: `${NODE.width}px`,
        height: `${NODE.height}px`,
      }}
      title={task.reason ?? task.title}
      onClick={() => setQuery({ task: isChosen ? undefined : task.id }, true)}
    >
      <span class="cut task-title">{task.title}</span>
      <span class="cut">
        <span class={tone}>
          {mark} {word}
        </span>{" "}
        <span class="faint">
          {[last?.agentType ?? task.role, useText(task.use), lasted(task)]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </span>
    </button>
  );
}

/** "$1.20 of $5.00", or tokens where no price is known. */
export function useText(use: CrewRun["use"], budget: CrewRun["budget"] = {}): string {
  if (use.dollars !== undefined || budget.dollars !== undefined) {
    const spent = money(use.dollars ?? 0);
    return budget.dollars === undefined ? spent : `${spent} of ${money(budget.dollars)}`;
  }
  if (use.tokens === 0) return "";
  const spent = `${short(use.tokens)} tokens`;
  return budget.tokens === undefined ? spent : `${spent} of ${short(budget.tokens)}`;
}

/** How long it took, or takes so far. */
export function lasted(what: { readonly startedAt?: string; readonly endedAt?: string }): string {
  if (what.startedAt === undefined) return "";
  const end = what.endedAt === undefined ? clock.value : Date.parse(what.endedAt);
  return duration(Math.max(0, end - Date.parse(what.startedAt)));
}
