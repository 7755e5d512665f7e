import { useEffect } from "preact/hooks";
import type { CrewCard, Crews } from "../../src/view/api-crews.ts";
import { Boundary } from "../app/boundary.tsx";
import { Link } from "../app/link.tsx";
import { Page } from "../app/page.tsx";
import { Top } from "../app/top.tsx";
import { clock } from "../data/clock.ts";
import { get } from "../data/http.ts";
import { useLoad } from "../data/load.ts";
import { address, viewAddress } from "../data/route.ts";
import { Inbox } from "../now/inbox.tsx";
import { baseName, moment } from "../parts/format.ts";
import { Empty, Shown } from "../parts/states.tsx";
import { RunPage } from "./run-page.tsx";
import { STATES } from "./states.ts";

const LOOK_MS = 2_000;

/** Asks again while something is under way and somebody looks. */
export function useLooking(isOpen: boolean, again: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => {
      if (!document.hidden) again();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [isOpen, again]);
}

export const isUnderWay = ({ state }: Pick<CrewCard, "state">) =>
  state === "running" || state === "waiting";

/** Runs of crews; one of them as a board. */
export function CrewsView() {
  const { run } = address.value.query;
  return (
    <main class="middle">{run === undefined ? <RunList /> : <RunPage key={run} id={run} />}</main>
  );
}

function RunList() {
  const loaded = useLoad("crews", (signal) => get<Crews>("api/crews", {}, signal));
  useLooking(true, loaded.again);
  return (
    <>
      <Top title="Crews" />
      <Inbox />
      <Page>
        <Boundary what="The list of runs">
          <Shown loaded={loaded}>
            {({ runs }) =>
              runs.length === 0 ? (
                <Empty title="No crew has worked here yet" command="seam crew demo">
                  A crew is several agents that work on one goal, each in a worktree of its own.
                  What they do, what it costs and what waits for you is shown here. Try one without
                  a key:
                </Empty>
              ) : (
                <ul class="runs">
                  {runs.map((one) => (
                    <RunRow key={one.id} run={one} />
                  ))}
                </ul>
              )
            }
          </Shown>
        </Boundary>
      </Page>
    </>
  );
}

function RunRow({ run }: { run: CrewCard }) {
  const { mark, word, tone } = STATES[run.state];
  return (
    <li>
      <Link class="run-row" to={viewAddress("crews", { run: run.id })}>
        <span class={`run-state ${tone}`}>
          {mark} {word}
        </span>
        <span class="run-goal">{run.goal}</span>
        <span class="faint cut">
          {run.workflow} · {baseName(run.repository)} · {moment(run.startedAt, clock.value)}
        </span>
      </Link>
    </li>
  );
}
