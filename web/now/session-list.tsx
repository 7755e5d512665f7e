import { signal } from "@preact/signals";
import type { SessionCard } from "../../src/view/api.ts";
import { Link } from "../app/link.tsx";
import { clock } from "../data/clock.ts";
import { failure, isLoaded, live } from "../data/live.ts";
import { isSame } from "../data/live-state.ts";
import { sessionAddress } from "../data/route.ts";
import { withoutAnsi } from "../parts/ansi.ts";
import { ago, money } from "../parts/format.ts";
import { inSight } from "../parts/in-sight.ts";
import { Sentence } from "../parts/states.tsx";
import { chosen } from "./chosen.ts";
import { fullness, grouped, isCalling, lately } from "./phases.ts";
import { isUnread, seen } from "./unread.ts";

const filter = signal("");
/** With fewer sessions there is nothing to look for. */
const MANY = 8;

/** Every session of every agent, by what it wants from you. */
export function SessionList() {
  const { sessions } = live.value;
  const groups = grouped(sessions, { text: filter.value });
  return (
    <div class="sessions">
      {sessions.length > MANY && (
        <input
          type="search"
          class="filter"
          placeholder="Agent, project, branch…"
          aria-label="Filter the sessions"
          value={filter.value}
          onInput={(event) => {
            filter.value = event.currentTarget.value;
          }}
        />
      )}
      {groups.map((group) => (
        <section key={group.phase} aria-label={group.title}>
          <h2>
            {group.title}
            <span>{group.sessions.length}</span>
          </h2>
          <ul>
            {group.sessions.map((session) => (
              <SessionRow key={`${session.agent}/${session.session}`} session={session} />
            ))}
          </ul>
        </section>
      ))}
      {groups.length === 0 && <Nothing hasFilter={sessions.length > 0} />}
    </div>
  );
}

function Nothing({ hasFilter }: { hasFilter: boolean }) {
  if (hasFilter) return <p class="none">No session matches.</p>;
  if (failure.value) return <p class="none">✗ {failure.value.message}</p>;
  if (!isLoaded.value) return null;
  return (
    <p class="none">
      <Sentence text="No session right now. Start an agent in a project where Seam is enabled (`seam enable`), and it appears here." />
    </p>
  );
}

function SessionRow({ session }: { session: SessionCard }) {
  const isCurrent = chosen.value !== undefined && isSame(chosen.value, session);
  const { agentType, project, branch, title, cost } = session;
  const full = fullness(session.context);
  const said = lately(session);
  const hasMore = session.phase !== "quiet" && (said !== undefined || full !== undefined);
  const isNew = !isCurrent && isUnread(session, seen.value);
  const shown = session.shown.filter(({ kind }) => kind === "status").flatMap(({ lines }) => lines);
  return (
    <li>
      <Link
        to={sessionAddress(session)}
        class="session-row"
        data-phase={session.phase}
        aria-current={isCurrent ? "true" : undefined}
        title={session.model}
      >
        <span class="dot" aria-hidden="true" />
        <span class={isNew ? "title cut is-new" : "title cut"} dir="auto">
          {withoutAnsi(title)}
          {isNew && <span class="unread"> new</span>}
        </span>
        <time>{ago(clock.value - Date.parse(session.at))}</time>
        <span class="where cut">{[agentType, project, branch].filter(Boolean).join(" · ")}</span>
        <span class="fact">{cost !== undefined && money(cost)}</span>
        {hasMore && (
          <span class={isCalling(session) ? "said cut machine" : "said cut"} dir="auto">
            {inSight(withoutAnsi(said ?? ""))}
          </span>
        )}
        {hasMore && (
          <span class="fact" title="How full the model's window is">
            {full !== undefined && `${full} %`}
          </span>
        )}
        {shown.map((line) => (
          <span class="said cut wide" key={line}>
            {line}
          </span>
        ))}
      </Link>
    </li>
  );
}
