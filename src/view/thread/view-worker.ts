/** The thread that reads for the page: the one that answers hooks is free meanwhile. */
import type { RepoRecord } from "../../record/index.ts";
import { answerCalls } from "../../threads/index.ts";
import { isRecord } from "../../values/index.ts";
import { diffOf } from "../history/diff.ts";
import { checkpointView, logOf } from "../history/log.ts";
import { resumeCommand } from "../history/resume-command.ts";
import { Rewinds } from "../history/rewinds.ts";
import { turnBehind } from "../history/turn-behind.ts";
import { listRepositories, withRepository } from "../open-repository.ts";
import { SessionAnswers } from "../session/answers.ts";
import { doctor, loaded } from "./ask-seam.ts";
import type { ViewCalls } from "./protocol.ts";

const sessions = new SessionAnswers();
let live: readonly string[] = [];
const within = <T>(repository: string, work: (record: RepoRecord) => Promise<T>) =>
  withRepository(repository, live, work);
const rewinds = new Rewinds(within);

type Answers = {
  readonly [Method in keyof ViewCalls]: (
    wish: ViewCalls[Method]["ask"],
  ) => Promise<ViewCalls[Method]["answer"]> | ViewCalls[Method]["answer"];
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

answerCalls<keyof ViewCalls>((method, ask) => {
  if (isRecord(ask) && Array.isArray(ask.live)) live = ask.live;
  // Both ends are of one build: what the daemon asks is what the method takes.
  return (ANSWERS[method] as (ask: unknown) => unknown)(ask);
});
