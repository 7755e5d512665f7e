/** The thread of crews: nothing it does holds the one that answers hooks. */
import { parentPort, workerData } from "node:worker_threads";
import { daemonPaths, tellCommit } from "../../daemon/index.ts";
import { messageOf } from "../../errors/index.ts";
import { useStarter } from "../../programs/index.ts";
import { answerCalls } from "../../threads/index.ts";
import { planTasks } from "../graph/next-steps.ts";
import { choicesFor } from "../policy/ladder.ts";
import type { Crew } from "../runs/crew.ts";
import type { Outside } from "../runs/crew-context.ts";
import { openLocalCrew } from "./open-local-crew.ts";
import { prepareRun, withConsent } from "./prepare-run.ts";
import type { CrewCalls, CrewNews, CrewThreadTask } from "./protocol.ts";
import { talk } from "./talk.ts";

const { home } = workerData as CrewThreadTask;
// A task takes some twenty calls of git, and the daemon is large.
useStarter();
const send = (message: CrewNews) => parentPort?.postMessage(message);

/** Events that extensions were asked about and have not answered. */
const firing = new Map<number, (refused: { reason: string } | undefined) => void>();
let lastFired = 0;

const outside: Outside = {
  log: (text) => send({ say: "log", text }),
  tell: (event) => {
    send({ say: "event", event });
    eventually(sayBusy);
  },
  show: (attempt, event) => send({ say: "live", attempt, event }),
  asked: (question) => eventually(() => sendQuestion(question.id)),
  settled: (question) => send({ say: "settled", question }),
  committed: async (cwd, commit) => {
    try {
      await tellCommit(daemonPaths(home), { cwd, commit });
    } catch (error) {
      send({ say: "log", text: `the record was not told of ${commit}: ${messageOf(error)}` });
    }
  },
  fire: (cwd, event) =>
    new Promise((resolve) => {
      const number = ++lastFired;
      firing.set(number, resolve);
      send({ say: "fire", number, cwd, event });
    }),
};

/** A database that cannot be reached is tried again after this time, whoever asks. */
const RETRY_MS = 15_000;

let opening: Promise<Crew> | undefined;

/** The crews, opened once; after a failure whoever asks next opens them anew. */
function opened(): Promise<Crew> {
  opening ??= openLocalCrew(home, outside).catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

/** Goes on with everything that was under way, as soon as that is possible. */
async function begin(): Promise<void> {
  try {
    const crew = await opened();
    for (const { id } of await crew.openQuestions()) await sendQuestion(id);
    await sayBusy();
  } catch (error) {
    outside.log(messageOf(error));
    setTimeout(() => void begin(), RETRY_MS);
  }
}
void begin();

/**
 * Does something that needs the database, and tries again if that cannot be reached: whoever wanted it
 * does not wait for it, and a failure that nobody hears of would end the thread.
 */
function eventually(work: () => Promise<void>): void {
  work().catch((error: unknown) => {
    outside.log(messageOf(error));
    setTimeout(() => eventually(work), RETRY_MS);
  });
}

async function sendQuestion(id: string): Promise<void> {
  const crew = await opened();
  const question = (await crew.openQuestions()).find((one) => one.id === id);
  if (!question) return;
  const { run } = await crew.show(question.run);
  send({ say: "asked", question, cwd: run.repository });
}

let wasBusy: boolean | undefined;

async function sayBusy(): Promise<void> {
  const isBusy = await (await opened()).isBusy();
  if (isBusy !== wasBusy) send({ say: "busy", isBusy });
  wasBusy = isBusy;
}

type Methods = {
  readonly [Method in keyof CrewCalls]: (
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
    const { workflow, goal, agents } = request;
    const choices = workflow.tasks.map(
      (task) => [task.id, choicesFor(task, workflow.roles[task.role], agents)] as const,
    );
    const tasks = planTasks(workflow, "plan");
    return { workflow, goal, tasks, agents: Object.fromEntries(choices), warnings };
  },
  land: (crew, { run, branch }) => crew.land(run, branch),
  list: (crew) => crew.list(),
  show: (crew, id) => crew.show(id),
  events: (crew, { run, after }) => crew.events(run, after),
  check: (crew) => crew.check(),
  clean: (crew, id) => crew.clean(id),
  cancel: (crew, id) => crew.cancel(id),
  resume: (crew, { run, environment }) => crew.resume(run, environment),
  retry: (crew, { run, task, environment }) => crew.retry(run, task, environment),
  answer: (crew, { id, value }) => crew.answer(id, value),
  allow: (crew, { run, ...request }) => crew.allow(run, request),
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

answerCalls<keyof CrewCalls>(async (method, ask) => {
  // Both ends are of one build: what the daemon asks is what the method takes.
  const call = METHODS[method] as (crew: Crew, ask: unknown) => Promise<unknown>;
  const crew = await opened();
  const answer = await call(crew, ask);
  // Whoever is told that something is done can rely on it. What is closed has settled before.
  if (method !== "close") await crew.settled();
  return answer;
});
