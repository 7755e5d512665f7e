import { useEffect, useState } from "preact/hooks";
import type { LogItem, LogPage, Repositories } from "../../src/view/api-history.ts";
import { attempt } from "../app/notices.tsx";
import { get } from "../data/http.ts";
import { useLoad } from "../data/load.ts";
import { address, setQuery } from "../data/route.ts";
import { Empty, Sentence, Shown } from "../parts/states.tsx";
import { LogRow } from "./log-row.tsx";

/** What was recorded in a repository, newest first. */
export function Log() {
  const loaded = useLoad("repositories", (signal) =>
    get<Repositories>("api/repositories", {}, signal),
  );
  const { repository } = address.value.query;
  return (
    <Shown loaded={loaded}>
      {({ repositories }) => {
        const chosen = repository ?? repositories[0]?.path;
        if (chosen === undefined) {
          return (
            <Empty title="Nothing is recorded yet" command="seam enable">
              Turns and commits of agents appear here once Seam is enabled in a repository:
            </Empty>
          );
        }
        const known = repositories.some(({ path }) => path === chosen);
        return (
          <div class="row bar">
            <select
              aria-label="Repository"
              value={chosen}
              onChange={(event) =>
                setQuery({ repository: event.currentTarget.value, branch: undefined }, true)
              }
            >
              {!known && <option value={chosen}>{chosen}</option>}
              {repositories.map(({ path, name }) => (
                <option key={path} value={path}>
                  {name}
                </option>
              ))}
            </select>
            <RepositoryLog key={chosen} repository={chosen} />
          </div>
        );
      }}
    </Shown>
  );
}

function RepositoryLog({ repository }: { repository: string }) {
  const { branch, session, commit } = address.value.query;
  const wish = { repository, branch, session, commit };
  const name = JSON.stringify(wish);
  const loaded = useLoad(`log ${name}`, (signal) => get<LogPage>("api/log", wish, signal));
  return (
    <>
      <Branches branches={loaded.value?.branches ?? []} />
      <input
        type="text"
        class="commit"
        placeholder="Commit"
        aria-label="Commit"
        value={commit ?? ""}
        onChange={(event) => setQuery({ commit: event.currentTarget.value.trim() }, true)}
      />
      {session && (
        <button type="button" onClick={() => setQuery({ session: undefined }, true)}>
          only session {session.slice(0, 8)} ✕
        </button>
      )}
      <button
        type="button"
        class="push"
        onClick={() => setQuery({ repository, undo: "1" }, true)}
        title="Back to the state before the last rewind"
      >
        Undo a rewind…
      </button>
      <div class="log">
        <Shown loaded={loaded}>
          {(page) => <Pages key={name} wish={wish} first={page} repository={repository} />}
        </Shown>
      </div>
    </>
  );
}

function Branches({ branches }: { branches: readonly string[] }) {
  const { branch = "" } = address.value.query;
  if (branches.length === 0 && !branch) return null;
  return (
    <select
      aria-label="Branch"
      value={branch}
      onChange={(event) => setQuery({ branch: event.currentTarget.value }, true)}
    >
      <option value="">all branches</option>
      {branch && !branches.includes(branch) && <option>{branch}</option>}
      {branches.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

interface PagesProps {
  readonly wish: Readonly<Record<string, string | undefined>>;
  readonly first: LogPage;
  readonly repository: string;
}

function Pages({ wish, first, repository }: PagesProps) {
  const [older, setOlder] = useState<readonly LogPage[]>([]);
  useEffect(() => setOlder([]), [first]);
  const pages = [first, ...older];
  const items: readonly LogItem[] = pages.flatMap((page) => page.items);
  const cursor = pages.at(-1)?.cursor;
  const readMore = async () => {
    const page = await attempt(() => get<LogPage>("api/log", { ...wish, cursor }));
    if (page) setOlder([...older, page]);
  };
  return (
    <>
      {first.warning && (
        <p class="why">
          {first.warning.message} <Sentence text={first.warning.next} />
        </p>
      )}
      {items.length === 0 && (
        <Empty title="Nothing is recorded here">
          <Sentence
            text={first.nothing ?? "Let an agent work in this repository with Seam enabled."}
          />
        </Empty>
      )}
      {byDay(items).map(({ day, items: ofDay }) => (
        <section key={day} aria-label={day}>
          <h2 class="day">{day}</h2>
          <ul>
            {ofDay.map((item) => (
              <LogRow key={`${item.type} ${item.id}`} item={item} repository={repository} />
            ))}
          </ul>
        </section>
      ))}
      {cursor && (
        <button type="button" onClick={() => void readMore()}>
          Show older
        </button>
      )}
    </>
  );
}

/** Things with a moment, in groups of one day each, in the order they came. */
function byDay<Item extends { readonly at: string }>(
  items: readonly Item[],
): { readonly day: string; readonly items: readonly Item[] }[] {
  const days: { day: string; items: Item[] }[] = [];
  for (const item of items) {
    const day = dayOf(item.at);
    const last = days.at(-1);
    if (last?.day === day) last.items.push(item);
    else days.push({ day, items: [item] });
  }
  return days;
}

function dayOf(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "Without a date";
  return date.toLocaleDateString("en-GB", {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
  });
}
