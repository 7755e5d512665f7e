import type { Ran, SessionHead, SessionRef, TurnTimeline } from "../../src/view/api.ts";
import { useKeys } from "../app/keys.ts";
import { Link } from "../app/link.tsx";
import { attempt, tell } from "../app/notices.tsx";
import { get, post } from "../data/http.ts";
import { useLoad } from "../data/load.ts";
import { sessionAddress, viewAddress } from "../data/route.ts";
import { Counts } from "../diff/diff-view.tsx";
import { fullness } from "../now/phases.ts";
import { CopyButton, copy } from "../parts/copy.tsx";
import { clock, count, money, pathFrom, short } from "../parts/format.ts";
import { inSight } from "../parts/in-sight.ts";
import { readTurn } from "./reading-position.ts";
import { Timeline } from "./timeline.tsx";
import { TodoList } from "./todo-list.tsx";

interface Props {
  readonly head: SessionHead | undefined;
  /** Counts how often the session has grown. */
  readonly growth: number;
}

/** The turn one reads in numbers: lanes, use, files, ways back. */
export function TurnPanel({ head, growth }: Props) {
  const prompt = readTurn.value;
  const name = head ? `${head.agent} ${head.session} ${prompt ?? ""} ${prompt ? "" : growth}` : "";
  const { value: turn } = useLoad<TurnTimeline | undefined>(`turn ${name}`, async (signal) => {
    if (!head) return undefined;
    const { agent, session } = head;
    return get<TurnTimeline>("api/turn", { agent, session, key: prompt }, signal);
  });
  const command = head?.resume && shellCommand(head.resume, head.cwd);
  useKeys({
    "session.resume": () => command !== undefined && void copy(command, "the command"),
  });
  if (!head) return null;
  return (
    <>
      {turn && (
        <section aria-label="This turn">
          <h2>
            {prompt ? "Turn" : "This turn"}
            {turn.startedAt && <span class="faint"> {clock(turn.startedAt)}</span>}
          </h2>
          {turn.lanes.length > 0 ? (
            <Timeline turn={turn} />
          ) : (
            <p class="small faint">No tool was called in this turn.</p>
          )}
        </section>
      )}
      <Use head={head} turn={turn} />
      {head.todos && head.todos.length > 0 && (
        <section aria-label="To do">
          <h2>To do</h2>
          <TodoList todos={head.todos} />
        </section>
      )}
      <Files
        files={turn?.files.length ? turn.files : head.files}
        isTurn={Boolean(turn?.files.length)}
        folder={head.cwd}
      />
      <section aria-label="Go back">
        <h2>Go back</h2>
        <div class="row">
          {turn?.turn && head.repository && (
            <Link
              class="button"
              to={viewAddress("history", {
                repository: head.repository,
                rewind: turn.turn.id,
                moment: turn.turn.canStart ? "start" : "end",
              })}
            >
              Rewind turn…
            </Link>
          )}
          {head.repository && (
            <Link
              class="button"
              to={viewAddress("history", { repository: head.repository, session: head.session })}
            >
              History
            </Link>
          )}
        </div>
        {head.forkOf && (
          <p class="small">
            It began as{" "}
            <Link to={sessionAddress({ agent: head.agent, session: head.forkOf })}>
              another session
            </Link>
            .
          </p>
        )}
        {command ? (
          <div class="resume">
            <pre>{command}</pre>
            <div class="row">
              <CopyButton text={command} what="the command to resume" label="Copy to resume" />
              {(!head.live || head.live.isEnded || head.live.phase === "quiet") && (
                <button type="button" onClick={() => void runIn(head)}>
                  Run it
                </button>
              )}
            </div>
          </div>
        ) : (
          <p class="small faint">This agent has no command to resume a session.</p>
        )}
      </section>
    </>
  );
}

function Use({ head, turn }: { head: SessionHead; turn: TurnTimeline | undefined }) {
  const { usage, cost } = head;
  const context = head.context ?? head.live?.context;
  const full = fullness(context);
  const rows = [
    ["Input", turn?.usage?.input_tokens, usage?.input_tokens],
    ["Cached, read", turn?.usage?.cache_read_tokens, usage?.cache_read_tokens],
    ["Cached, written", turn?.usage?.cache_creation_tokens, usage?.cache_creation_tokens],
    ["Output", turn?.usage?.output_tokens, usage?.output_tokens],
  ] as const;
  if (!usage && !turn?.usage && !context) return null;
  return (
    <section aria-label="Use">
      <table class="facts">
        <thead>
          <tr>
            <th scope="col">Use</th>
            <th scope="col">turn</th>
            <th scope="col">session</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, ofTurn, ofSession]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{ofTurn === undefined ? "–" : count(ofTurn)}</td>
              <td>{ofSession === undefined ? "–" : short(ofSession)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">Cost</th>
            <td>{turn?.cost === undefined ? "–" : money(turn.cost)}</td>
            <td>{cost === undefined ? "–" : money(cost)}</td>
          </tr>
        </tbody>
      </table>
      {context && (
        <div class="context">
          <span>Context</span>
          {full !== undefined && <meter min={0} max={100} value={full} aria-label="Context" />}
          <span>{full === undefined ? short(context.tokens) : `${full} %`}</span>
        </div>
      )}
    </section>
  );
}

/** More files than these are only counted. */
const MOST_FILES = 12;

function Files(props: { files: SessionHead["files"]; isTurn: boolean; folder?: string }) {
  const { files, isTurn, folder } = props;
  if (files.length === 0) return null;
  return (
    <section aria-label="Files">
      <h2>
        Files <span class="faint">{isTurn ? "of this turn" : "of the session"}</span>
      </h2>
      <ul class="files">
        {files.slice(0, MOST_FILES).map(({ path, added, removed }) => (
          <li key={path} title={path}>
            <span class="cut">
              <bdi dir="ltr">{inSight(pathFrom(folder, path))}</bdi>
            </span>
            <Counts added={added} removed={removed} />
          </li>
        ))}
      </ul>
      {files.length > MOST_FILES && (
        <p class="small faint">and {count(files.length - MOST_FILES)} more</p>
      )}
    </section>
  );
}

/** Goes on with a session in the user's terminal, or in tmux. */
async function runIn({ agent, session }: SessionHead): Promise<void> {
  const ref = { agent, session } satisfies SessionRef;
  const ran = await attempt(() => post<Ran>("api/resume/run", ref));
  if (!ran) return;
  if (ran.in === "terminal") tell("It goes on in your terminal.");
  else tell(`It goes on in tmux: ${ran.attach}`);
}

/** A command for a shell, run in the folder the session was in. */
function shellCommand(words: readonly string[], folder: string | undefined): string {
  const command = words.map(quoted).join(" ");
  return folder ? `cd ${quoted(folder)} && ${command}` : command;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
