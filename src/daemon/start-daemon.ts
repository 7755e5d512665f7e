import { existsSync, rmSync } from "node:fs";
import { explain } from "../errors/index.ts";
import {
  type FileLock,
  folderRefusal,
  isRunning,
  markVersion,
  replaceFile,
} from "../files/index.ts";
import { Protection } from "../protection/index.ts";
import { loadUserSettings } from "../settings/index.ts";
import { agentFor } from "./agent-packages.ts";
import { Alarms } from "./alarms/alarms.ts";
import { ExtensionCalls } from "./calls/extension-calls.ts";
import { ClientWatch } from "./client/client-watch.ts";
import { writeCurlOptions } from "./client/curl-options.ts";
import type { Daemon, DaemonOptions } from "./daemon-options.ts";
import { type DaemonPaths, daemonPaths, prepareFolders, shortSocketPath } from "./daemon-paths.ts";
import { Deaths } from "./deaths.ts";
import { descriptorBudget } from "./descriptors.ts";
import { ExtensionUse } from "./extension-use.ts";
import { Grants } from "./grants/grants.ts";
import { CrewEvents } from "./hooks/crew-events.ts";
import { GitHookService } from "./hooks/git-hook-service.ts";
import { HookService } from "./hooks/hook-service.ts";
import { TurnStarts } from "./hooks/turn-starts.ts";
import { routesOf } from "./http/routes.ts";
import { DaemonServer, portBefore } from "./http/server.ts";
import { IdleWatch } from "./idle.ts";
import { Cursor } from "./journal/cursor.ts";
import { Journal } from "./journal/journal.ts";
import { refusedStore } from "./journal/refused-store.ts";
import { dropOldCache } from "./kept-at-home.ts";
import { LateHooks } from "./late-hooks.ts";
import { LiveEvents } from "./live-events.ts";
import { acquireLock } from "./lock.ts";
import { Log } from "./log.ts";
import { describeMissed, noteUnasked, takeMissedHooks } from "./missed-hooks.ts";
import { openSessions } from "./open-sessions.ts";
import { peopleService } from "./people-service.ts";
import { People } from "./presence/people.ts";
import { RecordQueue } from "./record-queue.ts";
import { recover } from "./recover.ts";
import { RunWatch } from "./run-watch.ts";
import { Services } from "./service.ts";
import { Spool } from "./spool/spool.ts";
import type { DaemonStatus } from "./status.ts";
import { newToken, ownToken } from "./token.ts";
import { Watches } from "./watches/watches.ts";
import { within } from "./within.ts";
import { Threads } from "./worker/threads.ts";

const REGULARLY_MS = 3_000;
/** How often a daemon that ends says that it is still there. */
const STILL_HERE_MS = 1_000;
/** How often the record does what is due from time to time. */
const SWEEP_MS = 30_000;
/** How long the client of a hook that a dead daemon left unanswered has to ask again. */
const ASK_AGAIN_MS = 10_000;
/** Before it is said that a call came without its hook, hooks that came late are looked for so long. */
const ALARM_MS = 1_000;
/** What the recorder does not finish in this time is handed to it at the next start. */
const LAST_RECORDS_MS = 5_000;

/** Makes this process the daemon of its user; undefined if there is one already. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon | undefined> {
  const paths = daemonPaths(options.home);
  prepareFolders(paths);
  const lock = await acquireLock(paths.pid, shortSocketPath(paths));
  if (!lock) return undefined;
  const log = new Log(paths.log);
  try {
    return await run(options, paths, lock, log);
  } catch (error) {
    log.failed("the daemon could not start", error);
    lock.release();
    throw error;
  }
}

async function run(
  {
    recorder,
    agents,
    services: starts = [],
    idleMs,
    comeBackMs,
    tendsClient = false,
    ownFiles,
  }: DaemonOptions,
  paths: DaemonPaths,
  lock: FileLock,
  log: Log,
): Promise<Daemon> {
  const token = ownToken(paths);
  writeCurlOptions(paths, token);
  const budget = descriptorBudget();
  const threads = new Threads({
    log,
    most: budget.threads,
    check: () => ownFiles?.check(),
    doing: () => deaths.doing,
  });
  const people: People = new People({
    ...paths,
    log,
    comeBackMs,
    find: (ref) => sessions.get(ref),
    agentNamed: (name) => {
      const agent = byName.get(name);
      return agent?.hooks && { agent, hooks: agent.hooks };
    },
    onAttended: (isAttended) => {
      threads.isAttended = isAttended;
    },
  });
  const use = new ExtensionUse(paths.run);
  const { sessions, finder, unavailable, closesIn } = openSessions(paths, {
    agents,
    log,
    threads,
    people,
    use,
  });
  const deaths = new Deaths(paths, finder, log);
  const refusal = folderRefusal("journal", paths.run);
  const { cursor, journal } = refusal ? refusedStore(refusal) : openStore(paths);
  if (refusal) log.warn(explain(refusal));
  const queue = new RecordQueue({ recorder, journal, cursor, log });
  const services = new Services(log);
  const live = new LiveEvents((event) => {
    use.hear(event);
    services.hear(event);
  });
  const runWatch = new RunWatch(paths, log, unavailable);
  const spool = new Spool(paths.spool);
  const byName = new Map(agents.map((agent) => [agent.name as string, agent]));
  const watches = new Watches({
    home: paths.home,
    agents: byName,
    hookService: () => hookService,
    log,
  });
  const before = (folder: string) => watches.lookIn(folder);
  const git = new GitHookService({ records: recorder, log, before });
  const lost = (folder: string, what: string) => void recorder.lost?.(folder, what);
  const protection = new Protection(paths.home);
  const overtaken = (hookId: string) => recorder.overtaken?.(hookId);
  const turnStarts = new TurnStarts({ queue, overtaken });
  // What cannot be kept stays in the spool for the Seam that can.
  const takeLate = (ms?: number) => (refusal ? undefined : lateHooks.take(ms));
  const alarms = new Alarms({ store: paths.home, log, takeLate: () => takeLate(ALARM_MS) });
  const client = new ClientWatch(paths, log, (text) => alarms.raise(text));
  const meet = async (name: string, folder: string) => {
    if (byName.has(name)) return;
    try {
      const agent = await agentFor(name, folder);
      if (agent) byName.set(name, agent);
    } catch (error) {
      log.failed(`the agent ${name} could not be loaded`, error);
    }
  };
  const grants = new Grants(paths.home, log);
  const hookService: HookService = new HookService({
    meet,
    agents: byName,
    journal,
    queue,
    sessions,
    live,
    log,
    git,
    turnStarts,
    lost,
    closes: closesIn,
    unasked: (hook, why, became) => noteUnasked(paths, hook, why, became),
    protection,
    alarms,
    inbox: people.inbox,
    liveSessions: people.live,
    leading: people.leading,
    grants,
    interruptions: people.interruptions,
    deaths,
  });
  const lateHooks = new LateHooks({ hookService, spool, queue, log });
  const abandoned = (hookId: string) => people.inbox.withdraw(`${hookId}/`);
  // A question waits longer than daemons live, and kills none.
  const unanswered = (hooks: readonly string[]) =>
    deaths.found(hooks.filter((id) => !people.inbox.knows(`${id}/`)));
  recover({ journal, cursor, queue, hookService, spool, abandoned, unanswered });

  let idle: IdleWatch | undefined;
  let stopping: Promise<void> | undefined;
  const timers: NodeJS.Timeout[] = [];
  let isReplaced = false;
  let hadWork = false;
  let tellEnd = () => {};
  const ended = new Promise<{ isMissed: boolean }>((resolve) => {
    tellEnd = () => resolve({ isMissed: isReplaced && hadWork });
  });
  const startedAt = new Date().toISOString();
  let port = 0;
  const stop = (why = "it was asked to"): Promise<void> => {
    hadWork ||= watches.count > 0 || services.isBusy;
    stopping ??= finish(why).finally(() => tellEnd());
    return stopping;
  };
  const status = (): DaemonStatus => ({
    pid: process.pid,
    startedAt,
    port,
    sessions: sessions.count,
    workers: sessions.workers,
    threads: threads.count,
    troubles: sessions.troubles(),
    leftOut: finder.leftOut(),
    listeners: live.listeners,
    unrecorded: queue.length,
    problems: recorder.problems?.() ?? [],
    clientRepairs: client.repairs,
    watched: watches.count,
    services: services.status(),
  });
  const reload = () => {
    finder.forgetAll();
    deaths.forget();
    return sessions.endAll();
  };
  /**
   * A session is deleted after everything about it was recorded, so that spool and journal have
   * nothing left of it.
   */
  const forget = async (folder: string, session: string) => {
    takeLate();
    await queue.settled();
    await recorder.forget?.(folder, session);
    sessions.forget(session);
  };
  const used = () => idle?.touch();
  const settled = () => within(LAST_RECORDS_MS, queue.settled());
  /** The client that rang is left without an answer: it starts the next daemon and asks that. */
  const leaves = (busy: boolean) => {
    const why = stopping ? undefined : ownFiles?.reasonToEnd(busy);
    if (why === undefined) return false;
    isReplaced = true;
    void stop(why);
    return true;
  };
  const { leaveWaiting, catchUp, ...answers } = routesOf({
    hookService,
    spool,
    settled,
    live,
    status,
    reload,
    forget,
    used,
    stop,
    leaves,
    waitsForPerson: (hookId) => people.inbox.waitsFor(`${hookId}/`),
    abandoned,
  });
  const server = new DaemonServer({
    token,
    log,
    ...answers,
    others: (wanted) => services.route(wanted),
    budget,
    arrives: () => ownFiles?.look(),
    asked: catchUp,
  });

  async function finish(why: string): Promise<void> {
    log.info(`the daemon ends: ${why}`);
    deaths.ends();
    for (const timer of timers) clearTimeout(timer);
    lateHooks.stop();
    idle?.stop();
    // Whoever comes now waits until this one is gone, however long its last answers take.
    if (lock.held()) rmSync(paths.socket, { force: true });
    lock.refresh();
    const alive = setInterval(() => lock.refresh(), STILL_HERE_MS);
    live.end();
    leaveWaiting();
    await within(LAST_RECORDS_MS, services.close());
    await server.close();
    catchUp();
    people.close();
    await within(LAST_RECORDS_MS, watches.end());
    await sessions.endAll();
    use.close();
    await within(LAST_RECORDS_MS, queue.settled());
    await within(LAST_RECORDS_MS, recorder.close());
    journal.close();
    cursor.close();
    clearInterval(alive);
    lock.release();
  }

  await server.listenOnSocket(shortSocketPath(paths));
  runWatch.start();
  port = await server.listenOnPort(portBefore(paths.port));
  replaceFile(paths.port, `${port}\n`);
  for (const path of [paths.starting, paths.failed]) rmSync(path, { force: true });
  const sweepUp = () => {
    try {
      takeLate();
    } catch (error) {
      log.failed("the spool could not be read", error);
    }
  };
  const sayMissed = () => {
    for (const missed of takeMissedHooks(paths)) log.warn(describeMissed(missed));
  };
  const lookAround = () => {
    sweepUp();
    void recorder.endGone?.();
    sessions.rest();
    people.lookForEnded((ref) => {
      const pid = sessions.get(ref)?.pid;
      return pid !== undefined && !isRunning(pid);
    });
    watches.check();
    if (!lock.held()) void stop("another one has taken over");
    else if (!existsSync(paths.socket)) void stop("its socket is gone");
    else if (runWatch.isSocketTaken) {
      log.warn("somebody else took the place of the daemon's socket and may have heard its token");
      writeCurlOptions(paths, newToken(paths.token));
      void stop("its socket was replaced by another");
    } else if (leaves(sessions.busy)) return;
    else {
      runWatch.look();
      if (tendsClient) client.look();
    }
    sayMissed();
  };
  const { inbox, rules } = people;
  const extensions = { calls: new ExtensionCalls(sessions), crewEvents: new CrewEvents(sessions) };
  const forPeople = { inbox, rules, sessions: people.sessions };
  const around = { paths, log, live, use, grants, ...forPeople, ...extensions };
  services.start([() => peopleService(people), ...starts], around);
  if (tendsClient) client.start();
  sayMissed();
  sweepUp();
  watches.check();
  dropOldCache(paths);
  timers.push(setTimeout(() => hookService.giveUpWaiting(), ASK_AGAIN_MS));
  timers.push(setInterval(lookAround, REGULARLY_MS));
  timers.push(setInterval(() => void recorder.sweep?.(), SWEEP_MS));
  const quietMs = idleMs ?? loadUserSettings().daemonIdleMinutes * 60_000;
  const isBusy = () => sessions.busy || queue.length > 0 || watches.count > 0 || services.isBusy;
  idle = new IdleWatch(quietMs, isBusy, () => void stop("there is nothing to do"));
  log.info(`the daemon runs: process ${process.pid}, port ${port}`);
  return { paths, port, ended, stop };
}

function openStore(paths: DaemonPaths) {
  markVersion("journal", paths.run);
  const cursor = new Cursor(paths.cursor);
  return { cursor, journal: new Journal(paths.journal, { after: cursor.value }) };
}
