import type {
  CheckpointSession,
  CheckpointView,
  Diff,
  ResumeCommand,
  ResumeWish,
} from "../../src/view/api-history.ts";
import { Link } from "../app/link.tsx";
import { attempt } from "../app/notices.tsx";
import { clock as now } from "../data/clock.ts";
import { get, post } from "../data/http.ts";
import { useLoad } from "../data/load.ts";
import { sessionAddress, viewAddress } from "../data/route.ts";
import { Changes } from "../diff/changes.tsx";
import { copy } from "../parts/copy.tsx";
import { count, many, moment } from "../parts/format.ts";
import { Shown } from "../parts/states.tsx";
import { CrewLink } from "./log-row.tsx";

interface Props {
  readonly repository: string;
  readonly id: string;
}

/** What is kept for one commit: the sessions behind it, and what it changed. */
export function CheckpointPage({ repository, id }: Props) {
  const name = `${repository} ${id}`;
  const loaded = useLoad(`checkpoint ${name}`, (signal) =>
    get<CheckpointView>("api/checkpoint", { repository, id }, signal),
  );
  const diff = useLoad(`diff ${name}`, (signal) =>
    get<Diff>("api/diff", { repository, checkpoint: id }, signal),
  );
  return (
    <Shown loaded={loaded}>
      {(checkpoint) => (
        <>
          <Head checkpoint={checkpoint} />
          <h2 class="day">{many(checkpoint.sessions.length, "session")}</h2>
          <ul>
            {checkpoint.sessions.map((session) => (
              <SessionRow key={session.session} session={session} repository={repository} />
            ))}
          </ul>
          <h2 class="day">Changes</h2>
          <Shown loaded={diff}>{(changes) => <Changes {...changes} />}</Shown>
        </>
      )}
    </Shown>
  );
}

function Head({ checkpoint }: { checkpoint: CheckpointView }) {
  const { commit, subject, message, author, branch, crew, usage, id, repository, at } = checkpoint;
  const body = message?.split("\n").slice(1).join("\n").trim();
  return (
    <header class="head">
      <h2>{subject ?? `Checkpoint ${id}`}</h2>
      <p class="dim">
        {commit && <code>{commit.slice(0, 10)}</code>}{" "}
        {[author, !crew && branch, moment(at, now.value)].filter(Boolean).join(" · ")}
        <CrewLink crew={crew} />
      </p>
      {body && <pre class="message">{body}</pre>}
      {usage && usage.api_call_count + usage.output_tokens > 0 && (
        <p class="dim small">
          {count(usage.input_tokens)} tokens in, {count(usage.cache_read_tokens)} read from the
          cache, {count(usage.output_tokens)} out
        </p>
      )}
      <div class="row">
        <Link class="button" to={viewAddress("history", { repository, rewind: commit ?? id })}>
          Rewind to it…
        </Link>
      </div>
    </header>
  );
}

function SessionRow(props: { session: CheckpointSession; repository: string }) {
  const { session, repository } = props;
  const { agent, agentType, prompt, model, skills, stops, hasTranscript } = session;
  const facts = [
    agentType,
    model,
    session.at && moment(session.at, now.value),
    skills.length > 0 && `skills: ${skills.join(", ")}`,
  ];
  const resume = async () => {
    const answer = await attempt(() =>
      post<ResumeCommand>("api/resume", {
        repository,
        session: session.session,
      } satisfies ResumeWish),
    );
    if (answer) await copy(answer.command, "the command to resume");
  };
  return (
    <li class="log-row">
      <time />
      <span class="mark" aria-hidden="true">
        {stops.length > 0 ? "✗" : "▸"}
      </span>
      <div>
        {agent ? (
          <Link class="title" to={sessionAddress({ agent, session: session.session })}>
            {prompt ?? session.session}
          </Link>
        ) : (
          <span class="title">{prompt ?? session.session}</span>
        )}
        <p class="dim small">{facts.filter(Boolean).join(" · ")}</p>
        {stops.map((stop) => (
          <p class="stop" key={stop.reason}>
            {stop.by && <b>{stop.by}: </b>}
            {stop.reason}
          </p>
        ))}
      </div>
      {hasTranscript && (
        <button type="button" onClick={() => void resume()}>
          Copy to resume
        </button>
      )}
    </li>
  );
}
