/** A thread of search. Neither reading transcripts nor a slow question holds the one that answers hooks. */
import { homedir, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { ALL_AGENTS } from "../../agents/index.ts";
import { messageOf, SeamError } from "../../errors/index.ts";
import { loadUserSettings } from "../../settings/index.ts";
import { answerCalls } from "../../threads/index.ts";
import { search } from "../find/search.ts";
import { Indexer } from "../indexing/indexer.ts";
import { searchRequest, statsRequest } from "../request.ts";
import { stats } from "../stats/stats.ts";
import {
  asRefusal,
  type Database,
  indexFolder,
  indexNumber,
  isDamage,
  numberIn,
  openToRead,
} from "../store/database.ts";
import type { IndexSize, SearchCalls, SearchNews, SearchTask } from "./protocol.ts";

const { duty, home } = workerData as SearchTask;
const send = (message: SearchNews) => parentPort?.postMessage(message);

/** What a thread answers, and how it closes what it has open. */
interface Duty {
  readonly methods: Methods;
  readonly leave: () => unknown;
}

type Methods = {
  readonly [Method in keyof SearchCalls]?: (
    ask: unknown,
  ) => Promise<SearchCalls[Method]["answer"]> | SearchCalls[Method]["answer"];
};

/**
 * Hooks come first, so this thread gets a lower priority. Only on Linux can a single thread have
 * one.
 */
function stepBack(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(LOW_PRIORITY);
  } catch {
    // Without the permission for that, the thread keeps the usual priority.
  }
}

const LOW_PRIORITY = 5;

function writing(): Duty {
  stepBack();
  const indexer = new Indexer({
    home,
    agents: ALL_AGENTS,
    folders: { home: homedir(), env: process.env },
    log: (level, text, error) => {
      const why = error === undefined ? "" : `: ${messageOf(error)}`;
      send({ say: "log", level, text: `${text}${why}` });
    },
    onProgress: (progress) => send({ say: "progress", progress }),
  });
  const methods: Methods = {
    pass: () => indexer.pass(),
    rebuild: () => indexer.rebuild(),
    forget: async (session) => {
      await indexer.forget(String(session));
      return undefined;
    },
    close: async () => {
      await indexer.close();
      return undefined;
    },
  };
  return { methods, leave: () => indexer.leave() };
}

let opened: Database | undefined;
let openedNumber: string | undefined;

/** Does something with the index that is there now: one that was made anew is another file. */
function reading<T>(work: (database: Database) => T): T | undefined {
  const number = indexNumber(home);
  if (number !== openedNumber) forgetOpened();
  try {
    if (!opened) {
      opened = openToRead(home);
      // Opening it may have made the file beside it.
      openedNumber = indexNumber(home);
    }
    return opened && work(opened);
  } catch (error) {
    if (error instanceof SeamError) throw error;
    forgetOpened();
    if (!isDamage(error)) throw asRefusal(error, indexFolder(home));
    // The thread that writes may never look at the place that is damaged.
    send({ say: "damage", detail: messageOf(error) });
    return undefined;
  }
}

function forgetOpened(): void {
  try {
    opened?.close();
  } catch {
    // The database cannot be used any more, so a failure to close it does not matter.
  }
  opened = undefined;
}

const READING: Methods = {
  search: (ask) => reading((database) => search(database, searchRequest(ask))),
  stats: (ask) =>
    reading((database) => stats(database, statsRequest(ask), loadUserSettings().prices)),
  size: () => reading(sizeOf),
  close: () => {
    forgetOpened();
    return undefined;
  },
};

function sizeOf(database: Database): IndexSize {
  const count = (sql: string) => numberIn(database.one(sql), "n") ?? 0;
  return {
    entries: count("SELECT coalesce(max(last), 0) AS n FROM blocks"),
    sessions: count("SELECT count(*) AS n FROM sessions"),
    problems: count("SELECT count(*) AS n FROM sources WHERE problem IS NOT NULL"),
  };
}

const { methods, leave }: Duty =
  duty === "write" ? writing() : { methods: READING, leave: forgetOpened };

answerCalls<keyof SearchCalls>((method, ask) => methods[method]?.(ask), leave);
