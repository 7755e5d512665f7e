import { hostname } from "node:os";
import {
  AnswerSchema,
  askService,
  type Rule,
  type ServiceSurroundings,
} from "../../daemon/index.ts";
import { SeamError } from "../../errors/index.ts";
import { packageVersion } from "../../settings/index.ts";
import { SaySchema, type SessionHead, SessionRefSchema } from "../api.ts";
import {
  type ExtensionUse,
  type Loaded,
  ProjectRefSchema,
  type Repositories,
  ResumeWishSchema,
  RewindDoSchema,
  RewindWishSchema,
  RuleRefSchema,
  type Rules,
} from "../api-history.ts";
import type { LiveView } from "../now/live-view.ts";
import type { UseCounter } from "../now/use-counter.ts";
import type { ViewThread } from "../thread/view-thread.ts";
import type { Act, Ask } from "./app.ts";
import { checked, limitOf, QUERIES } from "./request.ts";

const WHO = "the page";

export interface RouteParts {
  readonly around: Pick<ServiceSurroundings, "inbox" | "sessions" | "rules" | "paths">;
  readonly live: LiveView;
  readonly thread: ViewThread;
  readonly use: UseCounter;
}

/** What the page can ask. */
export function asksOf({ around, live, thread, use }: RouteParts): Record<string, Ask> {
  const wishFor = ({ agent, session }: { agent: string; session: string }) =>
    live.wishFor(agent, session);
  const folders = () => live.folders();
  return {
    now: () => live.now(packageVersion(), hostname()),
    session: async (query): Promise<SessionHead> => {
      const ref = checked(QUERIES.session, query);
      const head = await thread.ask("head", wishFor(ref));
      const card = live.find(ref.agent, ref.session);
      return { ...head, ...(card && { live: live.cardOf(card) }) };
    },
    entries: (query) => {
      const { agent, session, at, line, limit, ...place } = checked(QUERIES.entries, query);
      return thread.ask("entries", {
        ...wishFor({ agent, session }),
        ...place,
        ...(at !== undefined && { at: Number(at) }),
        ...(line !== undefined && { line: Number(line) }),
        limit: limitOf(limit),
      });
    },
    entry: (query) => {
      const { key, child, ...ref } = checked(QUERIES.entry, query);
      return thread.ask("entry", { ...wishFor(ref), key, ...(child !== undefined && { child }) });
    },
    raw: (query) => {
      const { key, child, ...ref } = checked(QUERIES.entry, query);
      return thread.ask("raw", { ...wishFor(ref), key, ...(child !== undefined && { child }) });
    },
    turn: (query) => {
      const { key, ...ref } = checked(QUERIES.turn, query);
      return thread.ask("turn", { ...wishFor(ref), ...(key !== undefined && { key }) });
    },
    repositories: async (): Promise<Repositories> => ({
      repositories: await thread.ask("repositories", { live: folders() }),
    }),
    log: (query) => {
      const { limit, ...wish } = checked(QUERIES.log, query);
      return thread.ask("log", { ...wish, limit: limitOf(limit ?? "30"), live: folders() });
    },
    checkpoint: (query) =>
      thread.ask("checkpoint", { ...checked(QUERIES.checkpoint, query), live: folders() }),
    diff: (query) => thread.ask("diff", { ...checked(QUERIES.diff, query), live: folders() }),
    use: (): ExtensionUse => use.counted(),
    extensions: async (query): Promise<Loaded> => {
      const projects = await projectsOf(thread, live);
      const { project = projects[0] } = checked(QUERIES.project, query);
      return {
        ...(project !== undefined && { project }),
        projects,
        ...(await thread.ask("loaded", { project: known(project, projects) })),
      };
    },
    doctor: async (query) => {
      const projects = await projectsOf(thread, live);
      const { project = projects[0] } = checked(QUERIES.project, query);
      return thread.ask("doctor", { project: known(project, projects), fix: false });
    },
    rules: (): Rules => ({ rules: around.rules.list().map(ruleOf) }),
  };
}

/** What a person can do there. */
export function actsOf({ around, live, thread }: RouteParts): Record<string, Act> {
  const { inbox, sessions, rules } = around;
  const folders = () => live.folders();
  return {
    search: (body) => askService(around.paths, "POST", "/v1/search", { request: body }),
    stats: (body) => askService(around.paths, "POST", "/v1/stats", { request: body }),
    answer: (body) => inbox.answer({ ...checked(AnswerSchema, body), who: WHO }),
    hold: (body) => sessions.hold(checked(SessionRefSchema, body)),
    release: (body) => sessions.release(checked(SessionRefSchema, body), WHO),
    say: (body) => {
      const { text, ...ref } = checked(SaySchema, body);
      return sessions.say(ref, text);
    },
    "rewind/preview": (body) =>
      thread.ask("rewindPreview", { wish: checked(RewindWishSchema, body), live: folders() }),
    "rewind/do": (body) =>
      thread.ask("rewindDo", { wish: checked(RewindDoSchema, body), live: folders() }),
    resume: (body) => thread.ask("resume", { ...checked(ResumeWishSchema, body), live: folders() }),
    "doctor/fix": async (body) => {
      const projects = await projectsOf(thread, live);
      const { project = projects[0] } = checked(ProjectRefSchema, body);
      return thread.ask("doctor", { project: known(project, projects), fix: true });
    },
    "rules/remove": (body): Rules => {
      rules.remove(checked(RuleRefSchema, body).id);
      return { rules: rules.list().map(ruleOf) };
    },
  };
}

/** Where people work: what is recorded, and where agents were heard of. */
async function projectsOf(thread: ViewThread, live: LiveView): Promise<string[]> {
  const found = await thread.ask("repositories", { live: live.folders() });
  const there = found.filter(({ isGone }) => !isGone).map(({ path }) => path);
  return [...new Set([...there, ...live.folders()])];
}

/** Extensions are loaded there: not in any folder that somebody names. */
function known(project: string | undefined, projects: readonly string[]): string {
  if (project === undefined) return process.cwd();
  if (projects.includes(project)) return project;
  throw new SeamError("SEAM_VIEW_REPOSITORY", { path: project });
}

function ruleOf({
  id,
  project,
  by,
  tool,
  command,
  path,
  answer,
  at,
}: Rule): Rules["rules"][number] {
  const what = command ?? path;
  const about = what === undefined ? `every call of ${tool}` : `${tool}: ${what}`;
  return { id, project, text: `${by} is answered "${answer}" for ${about}`, at };
}
