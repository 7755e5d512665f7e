import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { cancelRun, listRuns, resumeRun, retryTask, showRun } from "../../crew/index.ts";
import {
  AnswerSchema,
  askService,
  type Rule,
  type ServiceSurroundings,
} from "../../daemon/index.ts";
import { SeamError } from "../../errors/index.ts";
import { loadUserSettings, packageVersion } from "../../settings/index.ts";
import type { Interrupted, Ran } from "../api.ts";
import { SaySchema, type SessionHead, SessionRefSchema } from "../api.ts";
import { RunRefSchema, TaskRefSchema } from "../api-crews.ts";
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
import { cardOf, crewRunOf } from "../crews/crew-run.ts";
import { runCommand } from "../history/run-command.ts";
import type { LiveView } from "../now/live-view.ts";
import type { ViewThread } from "../thread/view-thread.ts";
import type { Act, Ask } from "./app.ts";
import { checked, limitOf, QUERIES } from "./request.ts";

const WHO = "the page";

export interface RouteParts {
  readonly around: Pick<ServiceSurroundings, "inbox" | "sessions" | "rules" | "paths" | "use">;
  readonly live: LiveView;
  readonly thread: ViewThread;
}

/** What the page can ask. */
export function asksOf({ around, live, thread }: RouteParts): Record<string, Ask> {
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
    crews: async () => ({ runs: (await listRuns(around.paths)).map(cardOf) }),
    crew: async (query) => crewRunOf(await showRun(around.paths, checked(RunRefSchema, query).run)),
    use: (): ExtensionUse => {
      const { since, extensions } = around.use.counted();
      const named = Object.entries(extensions).map(([name, counts]) => ({ name, ...counts }));
      return { since, extensions: named.sort((one, other) => other.ms - one.ms) };
    },
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
    interrupt: (body): Interrupted => sessions.interrupt(checked(SessionRefSchema, body), "you"),
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
    "resume/run": async (body): Promise<Ran> => {
      const { agent, session } = checked(SessionRefSchema, body);
      const open = live.find(agent, session);
      if (open && !open.isEnded && open.phase !== "quiet") {
        throw new SeamError("SEAM_SESSION_BUSY", { session });
      }
      const { resume: command = [], cwd: folder } = await thread.ask(
        "head",
        live.wishFor(agent, session),
      );
      const name = `seam-${agent}-${session.replace(/[^\w-]/g, "").slice(0, 12)}`;
      const { terminal } = loadUserSettings().view;
      return runCommand({ command, folder, name, terminal });
    },
    "doctor/fix": async (body) => {
      const projects = await projectsOf(thread, live);
      const { project = projects[0] } = checked(ProjectRefSchema, body);
      return thread.ask("doctor", { project: known(project, projects), fix: true });
    },
    "crew/cancel": async (body) => {
      await cancelRun(around.paths, checked(RunRefSchema, body).run);
      return {};
    },
    "crew/resume": async (body) => {
      await resumeRun(around.paths, checked(RunRefSchema, body).run);
      return {};
    },
    "crew/retry": async (body) => {
      const { run, task } = checked(TaskRefSchema, body);
      await retryTask(around.paths, run, task);
      return {};
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
  const there = [...found.map(({ path }) => path), ...live.folders()];
  return [...new Set(there)].filter((folder) => existsSync(folder));
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
