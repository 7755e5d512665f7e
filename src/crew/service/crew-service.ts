import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type DaemonService,
  jsonRoute,
  type ServiceSurroundings,
  type StartService,
} from "../../daemon/index.ts";
import { messageOf } from "../../errors/index.ts";
import { loadUserSettings } from "../../settings/index.ts";
import type { RunEvent } from "../model/run-event.ts";
import { receiverIn, sendSpans } from "../telemetry/send-spans.ts";
import { crewFile } from "./crew-file.ts";
import { CrewHost } from "./crew-host.ts";
import { Followers } from "./followers.ts";
import { InboxQuestions } from "./inbox-questions.ts";
import type { CrewNews } from "./protocol.ts";
import {
  allowanceIn,
  answerIn,
  landingIn,
  namedRun,
  poolsIn,
  resumedRun,
  retriedTask,
  runRequestIn,
} from "./requests.ts";
import { talkIn } from "./talk.ts";

/** Crews, in the daemon. A thread of its own does everything; here is what others ask of it. */
class CrewService implements DaemonService {
  readonly name = "crew";
  readonly #daemon: ServiceSurroundings;
  readonly #host: CrewHost;
  readonly #questions: InboxQuestions;
  readonly #followers = new Followers();
  #isBusy = false;

  constructor(daemon: ServiceSurroundings) {
    this.#daemon = daemon;
    this.#host = new CrewHost(daemon.paths.home, (news) => this.#hear(news));
    this.#questions = new InboxQuestions(daemon.inbox, (id, value) =>
      this.#host.ask("answer", { id, value }).then(() => {}),
    );
    // What was under way when the last daemon ended goes on without anybody asking.
    const isUsed = existsSync(crewFile(daemon.paths.home));
    if (isUsed || loadUserSettings().crew.database !== undefined) this.#host.wake();
  }

  readonly routes = {
    "POST /v1/crew/run": jsonRoute((body) => this.#host.ask("start", runRequestIn(body))),
    "POST /v1/crew/plan": jsonRoute((body) => this.#host.ask("plan", runRequestIn(body))),
    "POST /v1/crew/land": jsonRoute((body) => this.#host.ask("land", landingIn(body))),
    "GET /v1/crew/runs": jsonRoute(async () => ({ runs: await this.#host.ask("list", undefined) })),
    "GET /v1/crew/check": jsonRoute(() => this.#host.ask("check", undefined)),
    "POST /v1/crew/show": jsonRoute((body) => this.#host.ask("show", namedRun(body))),
    "POST /v1/crew/clean": jsonRoute((body) => this.#host.ask("clean", namedRun(body))),
    "POST /v1/crew/cancel": jsonRoute((body) => this.#host.ask("cancel", namedRun(body))),
    "POST /v1/crew/resume": jsonRoute((body) => this.#host.ask("resume", resumedRun(body))),
    "POST /v1/crew/retry": jsonRoute((body) => this.#host.ask("retry", retriedTask(body))),
    "POST /v1/crew/answer": jsonRoute((body) => this.#host.ask("answer", answerIn(body))),
    "POST /v1/crew/allow": jsonRoute((body) => this.#host.ask("allow", allowanceIn(body))),
    "POST /v1/crew/talk": jsonRoute((body) => this.#host.ask("talk", talkIn(body))),
    "POST /v1/crew/work": jsonRoute(async (body) => ({
      worker: await this.#host.ask("work", poolsIn(body)),
    })),
    "POST /v1/crew/follow": (request: IncomingMessage, url: URL, response: ServerResponse) =>
      this.#follow(request, url, response),
  };

  isBusy(): boolean {
    return this.#isBusy;
  }

  status(): Record<string, unknown> {
    return { isBusy: this.#isBusy, followers: this.#followers.size };
  }

  async close(): Promise<void> {
    this.#followers.end();
    await this.#host.close();
  }

  async #follow(request: IncomingMessage, url: URL, response: ServerResponse): Promise<void> {
    request.resume();
    const run = url.searchParams.get("run") ?? "last";
    const after = Number(url.searchParams.get("after") ?? 0);
    const { run: found } = await this.#host.ask("show", run);
    await this.#followers.add(response, found.id, () =>
      this.#host.ask("events", { run: found.id, after }),
    );
  }

  /** An extension that cannot be asked has no say; which of them must not be missing is dispatch's business. */
  async #fire({ number, cwd, event }: Extract<CrewNews, { say: "fire" }>): Promise<void> {
    let reason: string | undefined;
    try {
      reason = (await this.#daemon.crewEvents.fire(cwd, event))?.reason;
    } catch (error) {
      this.#daemon.log.failed(`${event.type} could not be fired`, error);
    }
    await this.#host.ask("fired", { number, ...(reason !== undefined && { reason }) });
  }

  #happened(event: RunEvent): void {
    this.#followers.tell(event);
    if (event.kind === "run" && isOver(event.state)) void this.#report(event.run);
  }

  /** A receiver of spans that does not answer is no trouble of the run's. */
  async #report(run: string): Promise<void> {
    try {
      if (receiverIn(process.env)) await sendSpans(await this.#host.ask("show", run));
    } catch (error) {
      this.#daemon.log.warn(`crew: the spans of ${run} were not sent: ${messageOf(error)}`);
    }
  }

  #hear(news: CrewNews): void {
    if (news.say === "log") this.#daemon.log.info(`crew: ${news.text}`);
    else if (news.say === "event") this.#happened(news.event);
    else if (news.say === "live") this.#followers.show(news.attempt, news.event);
    else if (news.say === "asked") this.#questions.ask(news.question, news.cwd);
    else if (news.say === "settled") this.#questions.withdraw(news.question.id);
    else if (news.say === "fire") void this.#fire(news);
    else if (news.say === "busy") this.#isBusy = news.isBusy;
  }
}

const isOver = (state: string | undefined) =>
  state === "done" || state === "failed" || state === "cancelled";

/** Crews as a service of the daemon. */
export const startCrews: StartService = (daemon) => new CrewService(daemon);
