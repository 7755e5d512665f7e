import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import {
  askService,
  type DaemonPaths,
  linesOf,
  openConversation,
  userEnvironment,
} from "../../daemon/index.ts";
import { loadUserSettings } from "../../settings/index.ts";
import type { LandResult } from "../merge/land-on.ts";
import type { CrewQuestion } from "../model/crew-question.ts";
import type { Run } from "../model/run.ts";
import type { CheckUp } from "../runs/check-up.ts";
import type { Cleaned } from "../runs/clean-run.ts";
import type { AllowRequest } from "../runs/crew.ts";
import type { RunReport } from "../runs/run-report.ts";
import { crewFile } from "./crew-file.ts";
import type { FollowLine } from "./followers.ts";
import type { Planned, Started } from "./protocol.ts";
import type { RunRequest } from "./requests.ts";
import type { TalkAnswer, TalkRequest } from "./talk.ts";

/**
 * Questions to the crews in the daemon, which is started if it does not run. What it answers is of
 * this same program, so it is taken as it is.
 */
async function asked<Answer>(paths: DaemonPaths, path: string, body: object): Promise<Answer> {
  return (await askService(paths, "POST", `/v1/crew/${path}`, body)) as Answer;
}

/** The run's agents and checks get the environment of this process. */
export const startRun = (paths: DaemonPaths, request: RunRequest) =>
  asked<Started>(paths, "run", { ...request, environment: userEnvironment(process.env) });

/** What a run would begin with; nothing starts. */
export const planRun = (paths: DaemonPaths, request: RunRequest) =>
  asked<Planned>(paths, "plan", request);

export async function listRuns(paths: DaemonPaths): Promise<readonly Run[]> {
  const { runs } = (await askService(paths, "GET", "/v1/crew/runs")) as { runs: readonly Run[] };
  return runs;
}

/** How crews are here; undefined where nobody has used any. Rejects if their database cannot be reached. */
export async function checkCrews(paths: DaemonPaths): Promise<CheckUp | undefined> {
  const isUsed = existsSync(crewFile(paths.home)) || loadUserSettings().crew.database !== undefined;
  if (!isUsed) return undefined;
  return (await askService(paths, "GET", "/v1/crew/check")) as CheckUp;
}

export const showRun = (paths: DaemonPaths, run: string) =>
  asked<RunReport>(paths, "show", { run });

export const cleanRun = (paths: DaemonPaths, run: string) =>
  asked<Cleaned>(paths, "clean", { run });

export const cancelRun = (paths: DaemonPaths, run: string) => asked<Run>(paths, "cancel", { run });

export const resumeRun = (paths: DaemonPaths, run: string) =>
  asked<Run>(paths, "resume", { run, environment: userEnvironment(process.env) });

export const retryTask = (paths: DaemonPaths, run: string, task: string) =>
  asked<Run>(paths, "retry", { run, task, environment: userEnvironment(process.env) });

export const answerCrew = (paths: DaemonPaths, id: string, value: string) =>
  asked<CrewQuestion>(paths, "answer", { id, value });

/** Lets a run, one task of it, or all runs of today spend more. */
export const allowMore = (paths: DaemonPaths, run: string, request: AllowRequest) =>
  asked<Run>(paths, "allow", { run, ...request });

export const landRun = (paths: DaemonPaths, run: string, branch?: string) =>
  asked<LandResult>(paths, "land", { run, ...(branch !== undefined && { branch }) });

/** Takes tasks of these pools from now on; tells under which name. */
export const workForPools = (paths: DaemonPaths, pools: readonly string[]) =>
  asked<{ readonly worker: string }>(paths, "work", { pools });

/** What is said in a crew, by its members and to them. */
export const talkToCrew = (paths: DaemonPaths, request: TalkRequest) =>
  asked<TalkAnswer>(paths, "talk", request);

const RETRY_MS = 300;

/** What happens in a run, from its beginning on, also over the end and the next start of the daemon. */
export async function* followRun(
  paths: DaemonPaths,
  run: string,
  signal?: AbortSignal,
): AsyncGenerator<FollowLine> {
  let last = 0;
  while (!signal?.aborted) {
    try {
      const query = new URLSearchParams({ run, after: String(last) });
      const { hear, say } = await openConversation(paths, `/v1/crew/follow?${query}`);
      const close = () => {
        say.destroy();
        hear.destroy();
      };
      signal?.addEventListener("abort", close, { once: true });
      for await (const line of linesOf(hear)) {
        const told: FollowLine = JSON.parse(line);
        if (told.type === "event") last = told.number;
        yield told;
      }
    } catch {
      // There is no daemon at the moment: whoever asks for the run starts one.
      if (!signal?.aborted) await showRun(paths, run);
    }
    await sleep(RETRY_MS, undefined, signal && { signal }).catch(() => {});
  }
}
