/** The thread of crews: nothing it does holds the one that answers hooks. */
import { parentPort, workerData } from "node:worker_threads";
import { messageOf, SeamError } from "../../errors/index.ts";
import { planTasks } from "../graph/next-steps.ts";
import type { Crew } from "../runs/crew.ts";
import type { Outside } from "../runs/crew-context.ts";
import { openLocalCrew } from "./open-local-crew.ts";
import { prepareRun, withConsent } from "./prepare-run.ts";
import type {
  CrewCalls,
  CrewMethod,
  CrewThreadTask,
  FromCrewThread,
  SentError,
  ToCrewThread,
} from "./protocol.ts";
import { talk } from "./talk.ts";

const { home } = workerData as CrewThreadTask;
const send = (message: FromCrewThread) => parentPort?.postMessage(message);

/** Events that extensions were asked about and have not answered. */
const firing = new Map<number, (refused: { reason: string } | undefined) => void>();
let lastFired = 0;

const outside: Outside = {
  log: (text) => send({ say: "log", text }),
  tell: (event) => {
    send({ say: "event", event });
    void sayBusy();
  },
  show: (attempt, event) => send({ say: "live", attempt, event }),
  asked: (question) => void sendQuestion(question.id),
  settled: (question) => send({ say: "settled", question }),
  fire: (cwd, event) =>
    new Promise((resolve) => {
      const number = ++lastFired;
      firing.set(number, resolve);
      send({ say: "fire", number, cwd, event });
    }),
};

const opening = openLocalCrew(home, outside);
opening
  .then(async (crew) => {
    for (const { id } of await crew.openQuestions()) await sendQuestion(id);
    await sayBusy();
  })
  .catch((error: unknown) => outside.log(messageOf(error)));

async function sendQuestion(id: string): Promise<void> {
  const crew = await opening;
  const question = (await crew.openQuestions()).find((one) => one.id === id);
  if (!question) return;
  const { run } = await crew.show(question.run);
  send({ say: "asked", question, cwd: run.repository });
}

let wasBusy: boolean | undefined;

async function sayBusy(): Promise<void> {
  const isBusy = await (await opening).isBusy();
  if (isBusy !== wasBusy) send({ say: "busy", isBusy });
  wasBusy = isBusy;
}

type Methods = {
  readonly [Method in CrewMethod]: (
    crew: Crew,
    ask: CrewCalls[Method]["ask"],
  ) => Promise<CrewCalls[Method]["answer"]>;
};

const METHODS: Methods = {
  start: async (crew, ask) => {
    const { request, warnings, consents } = await prepareRun(ask, home);
    withConsent({ consents }, ask, home);
    return { run: await crew.start(request), warnings };
  },
  plan: async (_, ask) => {
    const { request, warnings } = await prepareRun(ask, home);
    return { workflow: request.workflow, tasks: planTasks(request.workflow, "plan"), warnings };
  },
  land: (crew, { run, branch }) => crew.land(run, branch),
  list: (crew) => crew.list(),
  show: (crew, id) => crew.show(id),
  events: (crew, { run, after }) => crew.events(run, after),
  clean: (crew, id) => crew.clean(id),
  cancel: (crew, id) => crew.cancel(id),
  resume: (crew, id) => crew.resume(id),
  retry: (crew, { run, task }) => crew.retry(run, task),
  answer: (crew, { id, value }) => crew.answer(id, value),
  talk: (crew, ask) => talk(crew.talk, ask),
  work: async (crew, pools) => {
    crew.work(pools);
    return crew.worker;
  },
  fired: async (_, { number, reason }) => {
    firing.get(number)?.(reason === undefined ? undefined : { reason });
    firing.delete(number);
    return undefined;
  },
  close: (crew) => crew.close().then(() => undefined),
};

async function answer({ id, method, ask }: ToCrewThread): Promise<void> {
  try {
    // Both ends are of one build: what the daemon asks is what the method takes.
    const call = METHODS[method] as (crew: Crew, ask: unknown) => Promise<unknown>;
    send({ say: "done", id, answer: await call(await opening, ask) });
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

parentPort?.on("message", (message: ToCrewThread) => void answer(message));
