/** A thread of search. Neither reading transcripts nor a slow question holds the one that answers hooks. */
import { homedir, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { ALL_AGENTS } from "../../agents/index.ts";
import { messageOf, SeamError } from "../../errors/index.ts";
import { loadUserSettings } from "../../settings/index.ts";
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
import type {
  FromSearchWorker,
  IndexSize,
  SearchCalls,
  SearchMethod,
  SearchTask,
  SentError,
  ToSearchWorker,
} from "./protocol.ts";

const { duty, home } = workerData as SearchTask;
const send = (message: FromSearchWorker) => parentPort?.postMessage(message);

type Methods = {
  readonly [Method in SearchMethod]?: (
    ask: unknown,
  ) => Promise<SearchCalls[Method]["answer"]> | SearchCalls[Method]["answer"];
};

/** Whoever waits for a hook comes first. Elsewhere this would be about the whole process. */
function stepBack(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(LOW_PRIORITY);
  } catch {
    // Then it is as important as the others.
  }
}

const LOW_PRIORITY = 5;

function writing(): Methods {
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
  return {
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
}

let opened: Database | undefined;
let openedNumber: number | undefined;

/** Does something with the index that is there now: one that was made anew is another file. */
function reading<T>(work: (database: Database) => T): T | undefined {
  const number = indexNumber(home);
  if (number !== openedNumber) forgetOpened();
  openedNumber = number;
  opened ??= openToRead(home);
  if (!opened) return undefined;
  try {
    return work(opened);
  } catch (error) {
    if (error instanceof SeamError) throw error;
    forgetOpened();
    // Whoever writes it makes it anew; until then there is nothing to be found.
    if (isDamage(error)) return undefined;
    throw asRefusal(error, indexFolder(home));
  }
}

function forgetOpened(): void {
  try {
    opened?.close();
  } catch {
    // It cannot be used any more, and that is all.
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

const methods = duty === "write" ? writing() : READING;

async function answer({ id, method, ask }: ToSearchWorker): Promise<void> {
  try {
    send({ say: "done", id, answer: await methods[method]?.(ask) });
  } catch (error) {
    send({ say: "failed", id, error: sendable(error) });
  }
}

function sendable(error: unknown): SentError {
  const message = messageOf(error);
  return error instanceof SeamError
    ? { message, code: error.code, details: error.details }
    : { message };
}

parentPort?.on("message", (message: ToSearchWorker) => void answer(message));
