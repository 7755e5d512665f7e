import type { LogCrewTask, LogItem } from "../../src/view/api-history.ts";
import { Link } from "../app/link.tsx";
import { sessionAddress, viewAddress } from "../data/route.ts";
import { withoutAnsi } from "../parts/ansi.ts";
import { clock, many, short } from "../parts/format.ts";

interface Props {
  readonly item: LogItem;
  readonly repository: string;
}

/** A turn or a checkpoint, in two lines. */
export function LogRow({ item, repository }: Props) {
  return item.type === "turn" ? (
    <TurnRow turn={item} repository={repository} />
  ) : (
    <CheckpointRow checkpoint={item} repository={repository} />
  );
}

function tokensOut(usage: LogItem["usage"]): string | undefined {
  return usage?.output_tokens ? `${short(usage.output_tokens)} tokens out` : undefined;
}

/** The way from what a member of a crew did to its task, on the page of the run. */
export function CrewLink({ crew }: { crew: LogCrewTask | undefined }) {
  if (!crew) return null;
  return (
    <>
      {" · "}
      <Link to={viewAddress("crews", { ...crew })}>
        task {crew.task} of run {crew.run}
      </Link>
    </>
  );
}

const ENDINGS = {
  done: "",
  "under way": "◌ under way",
  "broken off": "✗ broken off",
} as const;

function TurnRow(props: { turn: Extract<LogItem, { type: "turn" }>; repository: string }) {
  const { turn, repository } = props;
  const facts = [
    turn.agentType,
    !turn.crew && turn.branch,
    turn.calls ? many(turn.calls, "call") : undefined,
    turn.files && turn.files.length > 0 && many(turn.files.length, "file"),
    turn.stops.length > 0 && many(turn.stops.length, "stop"),
    tokensOut(turn.usage),
    ENDINGS[turn.ending],
  ];
  return (
    <li class="log-row">
      <time>{clock(turn.at)}</time>
      <span class="mark" aria-hidden="true">
        {turn.stops.length > 0 ? "✗" : "▸"}
      </span>
      <div>
        <Link class="title" to={sessionAddress(turn)}>
          <bdi>{withoutAnsi(turn.prompt ?? "A turn without a prompt")}</bdi>
        </Link>
        <p class="dim small">
          {facts.filter(Boolean).join(" · ")}
          <CrewLink crew={turn.crew} />
        </p>
        {turn.stops.map((stop) => (
          <p class="stop" key={stop.reason}>
            {stop.by && <b>{stop.by}: </b>}
            {stop.reason}
          </p>
        ))}
      </div>
      {(turn.rewind.start || turn.rewind.end) && (
        <Link
          class="button"
          to={viewAddress("history", {
            repository,
            rewind: turn.id,
            moment: turn.rewind.start ? "start" : "end",
          })}
        >
          Rewind…
        </Link>
      )}
    </li>
  );
}

function CheckpointRow(props: {
  checkpoint: Extract<LogItem, { type: "checkpoint" }>;
  repository: string;
}) {
  const { checkpoint, repository } = props;
  const { id, commit, subject, branch, crew, files, sessions, usage } = checkpoint;
  const agents = [...new Set(sessions.map(({ agentType }) => agentType))].join(", ");
  const facts = [
    agents,
    !crew && branch,
    many(files.length, "file"),
    sessions.length > 1 && many(sessions.length, "session"),
    tokensOut(usage),
  ];
  return (
    <li class="log-row checkpoint">
      <time>{clock(checkpoint.at)}</time>
      <span class="mark" aria-hidden="true">
        ●
      </span>
      <div>
        <Link class="title" to={viewAddress("history", { repository, checkpoint: id })}>
          {subject ?? `Checkpoint ${id}`}
        </Link>
        <p class="dim small">
          {commit && <code>{commit.slice(0, 7)}</code>}
          {commit && " · "}
          {facts.filter(Boolean).join(" · ")}
          <CrewLink crew={crew} />
        </p>
      </div>
    </li>
  );
}
