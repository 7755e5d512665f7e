/** The thread that reads for the page: the one that answers hooks is free meanwhile. */
import { parentPort } from "node:worker_threads";
import { messageOf, SeamError } from "../../errors/index.ts";
import type { RepoRecord } from "../../record/index.ts";
import { diffOf } from "../history/diff.ts";
import { checkpointView, logOf } from "../history/log.ts";
import { resumeCommand } from "../history/resume-command.ts";
import { Rewinds } from "../history/rewinds.ts";
import { turnBehind } from "../history/turn-behind.ts";
import { listRepositories, withRepository } from "../repository/open-repository.ts";
import { doctor, loaded } from "../seam-command/ask-seam.ts";
import { SessionAnswers } from "../session/answers.ts";
import type { ViewAsked, ViewCalls, ViewMethod, ViewReplied } from "./protocol.ts";

const sessions = new SessionAnswers();
let live: readonly string[] = [];
const within = <T>(repository: string, work: (record: RepoRecord) => Promise<T>) =>
  withRepository(repository, live, work);
const rewinds = new Rewinds(within);

type Answers = {
  readonly [Method in ViewMethod]: (
    wish: ViewCalls[Method][0],
  ) => Promise<ViewCalls[Method][1]> | ViewCalls[Method][1];
};

const ANSWERS: Answers = {
  head: (wish) => sessions.head(wish),
  card: (wish) => sessions.card(wish),
  entries: (wish) => sessions.entries(wish),
  entry: (wish) => sessions.entry(wish),
  raw: (wish) => sessions.raw(wish),
  image: (wish) => sessions.image(wish),
  turn: async (wish) => {
    const { timeline, repository } = await sessions.turn(wish);
    const turn = repository && (await turnBehind(repository, wish.session, timeline));
    return { ...timeline, ...(turn && { turn }) };
  },
  repositories: (wish) => listRepositories(wish.live),
  log: ({ repository, ...wish }) => within(repository, (record) => logOf(record, wish)),
  checkpoint: ({ repository, id }) => within(repository, (record) => checkpointView(record, id)),
  diff: ({ repository, ...wish }) => within(repository, (record) => diffOf(record, wish)),
  rewindPreview: ({ wish }) => rewinds.preview(wish),
  rewindDo: ({ wish }) => rewinds.do(wish),
  resume: ({ repository, session }) =>
    within(repository, (record) => resumeCommand(record, session)),
  doctor: ({ project, fix }) => doctor(project, fix),
  loaded: ({ project }) => loaded(project),
};

async function answer<Method extends ViewMethod>(asked: ViewAsked<Method>): Promise<void> {
  const { id, method, wish } = asked;
  const send = (reply: Omit<ViewReplied, "id">) => parentPort?.postMessage({ id, ...reply });
  if ("live" in wish) live = wish.live;
  try {
    send({ answer: await ANSWERS[method](wish) });
  } catch (error) {
    if (error instanceof SeamError) {
      send({ refused: { code: error.code, details: error.details } });
    } else {
      send({ failed: messageOf(error) });
    }
  }
}

parentPort?.on("message", (asked: ViewAsked) => void answer(asked));
