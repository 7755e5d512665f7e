import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "../../errors/index.ts";
import type { Handled, HookService } from "../hooks/hook-service.ts";
import type { Incoming } from "../hooks/incoming.ts";
import type { LiveEvents } from "../live-events.ts";
import { asSpooled, type Spool } from "../spool/spool.ts";
import { AfterAnswers } from "./after-answers.ts";
import { answerHeaders, type Caller } from "./caller.ts";
import { Callers, type RecentAnswer } from "./callers.ts";
import { readBody } from "./read-body.ts";
import { end, endWithJson, type Handle, type Ring } from "./server.ts";

interface Parts {
  readonly hookService: HookService;
  readonly spool: Spool;
  /** Resolves when everything that was answered is recorded. */
  readonly settled: () => Promise<void>;
  readonly live: LiveEvents;
  /** Something happened. */
  readonly used: () => void;
  readonly status: () => object;
  readonly reload: () => Promise<void>;
  /** Deletes a session everywhere in the repository of a folder. */
  readonly forget: (folder: string, session: string) => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Whether a person is being asked about a hook. */
  readonly waitsForPerson: (hookId: string) => boolean;
  /** Is called when nobody waits any more for what is decided about a hook. */
  readonly abandoned: (hookId: string) => void;
  /** Whether this daemon ends now, for the next one to answer. `busy`: somebody else waits. */
  readonly leaves: (busy: boolean) => boolean;
}

interface Routes {
  readonly routes: Readonly<Record<string, Handle>>;
  readonly ring: Ring;
  /** Leaves those without an answer who wait for a person: they ask the next daemon. */
  readonly leaveWaiting: () => void;
  /** Does at once what waits until answers have arrived. */
  readonly catchUp: () => void;
}

/** Everything that can be asked of the daemon. */
export function routesOf(parts: Parts): Routes {
  const { live, used, status, reload, stop } = parts;
  const answers = new RecentAnswers();
  const afterAnswers = new AfterAnswers();
  const callers = new Callers(afterAnswers, parts.abandoned);
  let underWay = 0;
  const counted = async (work: () => Promise<void>): Promise<void> => {
    used();
    underWay++;
    try {
      await work();
    } finally {
      underWay--;
    }
  };
  const ring: Ring = (rung, caller) =>
    counted(async () => {
      // The file stays, so a client that rings again at the next daemon loses nothing.
      if (parts.leaves(underWay > 1)) caller.leave();
      else await answerRing(parts, { answers, callers }, rung, caller);
    });
  const takeHook: Handle = (request, url, response) =>
    counted(async () => {
      const incoming = await incomingOf(request, url);
      const caller = httpCaller(response);
      if (!incoming) {
        caller.refuse(400, "agent and hook are missing.");
        return;
      }
      const { id } = incoming;
      const again = answers.get(id, id);
      if (again) return callers.answerAgain(again, caller);
      const handled = parts.hookService.handle(incoming);
      answers.add(id, id, handled);
      await callers.answer(id, caller, handled);
    });
  const routes: Routes["routes"] = {
    // A hook whose payload a client left in the spool: the last part of the path is its name.
    "POST /v1/ring/": async (request, { pathname }, response) => {
      const name = decodeURIComponent(pathname.slice(pathname.lastIndexOf("/") + 1));
      const rung = { name, ...cwdOf(request) };
      const along = name.includes("@") && { text: await readBody(request, BODY_SILENT_MS) };
      if (!along) request.resume();
      return ring({ ...rung, ...along }, httpCaller(response));
    },
    // A hook with its payload: from plugins that run inside their agent.
    "POST /v1/hook": takeHook,
    "GET /v1/events": (_, { searchParams }, response) => {
      const wanted = ["agent", "session", "event"] as const;
      const given = wanted.flatMap((key) => {
        const value = searchParams.get(key);
        return value === null ? [] : [[key, value]];
      });
      const [after, since] = [searchParams.get("after"), searchParams.get("since")];
      live.follow(Object.fromEntries(given), response, {
        ...(after !== null && { after: Number(after) }),
        ...(since !== null && { since }),
      });
    },
    "GET /v1/recorded": async (_, __, response) => {
      await parts.settled();
      endWithJson(response, {});
    },
    "GET /v1/status": (_, __, response) => endWithJson(response, status()),
    "POST /v1/reload": async (_, __, response) => {
      await reload();
      endWithJson(response, status());
    },
    "POST /v1/forget": async (_, { searchParams }, response) => {
      try {
        await parts.forget(searchParams.get("cwd") ?? "", searchParams.get("session") ?? "");
        endWithJson(response, {});
      } catch (error) {
        end(response, 500, messageOf(error));
      }
    },
    "POST /v1/stop": (_, __, response) => {
      endWithJson(response, status());
      response.once("close", () => void stop());
    },
  };
  const leaveWaiting = () => callers.leave(parts.waitsForPerson);
  const catchUp = () => afterAnswers.catchUp();
  return { routes, ring, leaveWaiting, catchUp };
}

/** A client on this machine that sends nothing for so long has stopped. */
const BODY_SILENT_MS = 15_000;

/** How many answers are kept for clients that did not get theirs. */
const MOST_ANSWERS = 200;

/** The last answers: a client that asks twice gets the same one, and nothing is done twice. */
class RecentAnswers {
  readonly #byName = new Map<string, RecentAnswer>();

  /** `id` is undefined if the file in the spool is gone already. */
  get(name: string, id: string | undefined): RecentAnswer | undefined {
    const rung = this.#byName.get(name);
    return id === undefined || rung?.id === id ? rung : undefined;
  }

  add(name: string, id: string, handled: Promise<Handled>): void {
    // Only the answer is kept, because the rest would keep the payload in memory.
    const answer = handled.then(({ answer, delivered }) => ({ answer, delivered }));
    this.#byName.delete(name);
    this.#byName.set(name, { id, answer });
    const [oldest = ""] = this.#byName.keys();
    if (this.#byName.size > MOST_ANSWERS) this.#byName.delete(oldest);
  }
}

async function answerRing(
  { hookService, spool }: Parts,
  { answers, callers }: { answers: RecentAnswers; callers: Callers },
  { name: rung, cwd, text: along }: Parameters<Ring>[0],
  caller: Caller,
): Promise<void> {
  const spooled = along === undefined ? spool.read(rung) : asSpooled(rung, along);
  const name = spooled?.name ?? rung;
  const again = answers.get(name, spooled?.id);
  if (again) return callers.answerAgain(again, caller);
  if (!spooled) {
    caller.refuse(410, "There is no such file.");
    return;
  }
  const { id, agent, hook, pid, text } = spooled;
  const at = spooled.at.toISOString();
  const where = cwd === undefined || cwd === "" ? {} : { cwd };
  const handled = hookService.handle({ id, at, agent, hook, pid, ...where, text });
  answers.add(name, id, handled);
  await callers.answer(id, caller, handled, () => spool.remove(name));
}

function httpCaller(response: ServerResponse): Caller {
  return {
    answer: (answer) => {
      // The client is gone: this response would never fire another event.
      if (response.closed) return Promise.resolve(false);
      const body = Buffer.from(answer.stdout);
      response.writeHead(200, answerHeaders(answer, body));
      return new Promise((resolve) => {
        response.once("finish", () => resolve(true));
        response.once("close", () => resolve(false));
        response.end(body);
      });
    },
    refuse: (status, why) => end(response, status, why),
    leave: () => response.destroy(),
    whenOver: (hear) => response.once("close", hear),
  };
}

async function incomingOf(
  request: IncomingMessage,
  { searchParams }: URL,
): Promise<Incoming | undefined> {
  const agent = searchParams.get("agent");
  const hook = searchParams.get("hook");
  if (!agent || !hook) {
    request.resume();
    return undefined;
  }
  const pid = Number(searchParams.get("pid") || Number.NaN);
  return {
    id: searchParams.get("id") ?? randomUUID(),
    at: new Date().toISOString(),
    agent,
    hook,
    ...(Number.isInteger(pid) && { pid }),
    ...cwdOf(request),
    text: await readBody(request, BODY_SILENT_MS),
  };
}

/** Headers come as single bytes; paths are UTF-8. */
function cwdOf({ headers }: IncomingMessage): { cwd?: string } {
  const given = headers["x-seam-cwd"];
  if (typeof given !== "string" || given === "") return {};
  return { cwd: Buffer.from(given, "latin1").toString("utf8") };
}
