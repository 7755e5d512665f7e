import type { Command } from "commander";
import { SeamError } from "../../errors/index.ts";
import { commitFacts } from "../../git/index.ts";
import {
  type Checkpoint,
  latestCheckpoints,
  type RepoRecord,
  sessionsWithTurns,
  type Turn,
  timeOf,
  turns,
} from "../../record/index.ts";
import { paint, printJson } from "../print.ts";
import { oneLine, plural, tokensLine, when } from "../record/format.ts";
import { withRecord } from "../record/open-record.ts";
import { printLong } from "../record/pager.ts";
import { wholeNumber } from "../record/whole-number.ts";

interface Options {
  number: number;
  session?: string;
  turns?: boolean;
  checkpoints?: boolean;
  json?: boolean;
}

export function addLog(program: Command): void {
  program
    .command("log")
    .description("what agents did here: turns and checkpoints, newest first")
    .option("-n, --number <count>", "how many", wholeNumber, 20)
    .option("--session <id>", "only this session")
    .option("--turns", "only turns")
    .option("--checkpoints", "only checkpoints")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  seam log\n  seam log --checkpoints -n 5\n  seam log --json",
    )
    .action((options: Options) => withRecord((record) => log(record, options)));
}

type Item = { at: string } & ({ turn: Turn } | { checkpoint: Checkpoint; subject?: string });

async function log(record: RepoRecord, options: Options): Promise<void> {
  const { number, json } = options;
  const session = await sessionNamed(record, options.session);
  const items: Item[] = [];
  if (!options.checkpoints || options.turns) {
    const about = session === undefined ? {} : { session };
    const found = await turns(record.store, { ...about, limit: number });
    items.push(...found.map((turn) => ({ at: turn.at, turn })));
  }
  if (!options.turns || options.checkpoints) {
    const isWanted = ({ sessions }: Checkpoint) =>
      session === undefined ||
      sessions.some(({ metadata }) => metadata.session_id.startsWith(session));
    for (const checkpoint of await latestCheckpoints(record.store, number, isWanted)) {
      items.push(await itemOf(record, checkpoint));
    }
  }
  items.sort((a, b) => (a.at < b.at ? 1 : -1));
  const shown = items.slice(0, number);
  if (json) return printJson(shown.map(toJson));
  if (shown.length === 0) {
    return printLong(["Nothing is recorded yet. Switch it on here with: seam enable"]);
  }
  await printLong(
    shown.flatMap((item) => ("turn" in item ? turnLines(item.turn) : checkpointLines(item))),
  );
}

/** The session a user means by the beginning of its id. */
async function sessionNamed(
  { store }: RepoRecord,
  start: string | undefined,
): Promise<string | undefined> {
  if (start === undefined) return undefined;
  const found = await sessionsWithTurns(store, start);
  if (found.length <= 1) return found[0] ?? start;
  const list = found.map((id) => `\n  ${id}`).join("");
  throw new SeamError("SEAM_RECORD_AMBIGUOUS", { name: start, list });
}

async function itemOf({ store }: RepoRecord, checkpoint: Checkpoint): Promise<Item> {
  const { commit_sha } = checkpoint.metadata;
  const commit =
    commit_sha === undefined
      ? undefined
      : await commitFacts(store, commit_sha).catch(() => undefined);
  const subject = commit?.message.split("\n")[0];
  const at = timeOf(checkpoint);
  return { at, checkpoint, ...(subject !== undefined && { subject }) };
}

function turnLines({ id, agent, at, prompt, files, end }: Turn): string[] {
  const state = end ? plural(files?.length ?? 0, "file") : "under way";
  return [
    `${paint("dim", when(at))}  turn ${paint("cyan", id)}  ${agent}  ${state}`,
    `    ${oneLine(prompt ?? "")}`,
  ];
}

function checkpointLines({
  at,
  checkpoint: { id, metadata, sessions },
  subject = "(the commit is not here)",
}: {
  at: string;
  checkpoint: Checkpoint;
  subject?: string;
}): string[] {
  const agents = [...new Set(sessions.map((one) => one.metadata.agent ?? "?"))].join(", ");
  const skills = sessions.flatMap((one) => one.metadata.skill_events ?? []);
  const details = [
    plural(metadata.files_touched.length, "file"),
    ...(metadata.token_usage ? [tokensLine(metadata.token_usage)] : []),
    ...skills.map(({ skill }) => `skill ${skill.name}`),
  ];
  const commit = metadata.commit_sha?.slice(0, 8) ?? "";
  return [
    `${paint("dim", when(at))}  checkpoint ${paint("yellow", id)}  ${commit}  ${agents}`,
    `    ${oneLine(subject)}`,
    `    ${paint("dim", details.join(" · "))}`,
  ];
}

function toJson(item: Item): object {
  if ("turn" in item) {
    const { start, end, ...turn } = item.turn;
    return { type: "turn", ...turn, start: start?.commit, end: end?.commit };
  }
  const { id, metadata, sessions } = item.checkpoint;
  return { type: "checkpoint", id, at: item.at, subject: item.subject, metadata, sessions };
}
