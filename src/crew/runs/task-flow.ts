import { SeamError } from "../../errors/index.ts";
import type { Flow } from "../engine/engine.ts";
import { planText } from "../graph/plan.ts";
import type { Attempt, AttemptEnd, Task } from "../model/run.ts";
import { choicesFor, nextRung, type Rung } from "../policy/ladder.ts";
import { type Beginning, TAKEN_OVER } from "./admit-attempt.ts";
import { endTask, setTaskState } from "./advance-run.ts";
import { askPerson } from "./ask-person.ts";
import { type CrewContext, questionSignal } from "./crew-context.ts";
import { refusedMerge, refusedTask } from "./crew-hooks.ts";
import { CrewTalk } from "./crew-talk.ts";
import { bad, judgeWork, type Verdict } from "./judge-work.ts";
import { mergeWork } from "./merge-work.ts";
import { bringTarget, knowing, type Refused } from "./refused-merge.ts";
import { releaseWorkspace } from "./release-workspace.ts";
import { secretsQuestion, settleSecrets } from "./settle-secrets.ts";
import { type Step, takePlace } from "./take-place.ts";
import { openly } from "./trouble.ts";
import { type Surroundings, surroundingsOf, type Tried, tryTask, wasStarted } from "./try-task.ts";
import { type CheckoutQuestion, checkoutQuestion } from "./users-checkout.ts";

/** The flow of one task: attempts until one is good, then the merge; after that a person. */
export async function taskFlow(
  crew: CrewContext,
  flow: Flow,
  input: { readonly run: string; readonly task: string },
): Promise<void> {
  const around = await surroundingsOf(crew, input.run, input.task);
  if (!around) return;
  await new TaskFlow(crew, flow, around).run();
}

class TaskFlow {
  readonly #crew: CrewContext;
  readonly #flow: Flow;
  readonly #around: Surroundings;
  /** The commit that has all that is in the workspace, as long as nobody was in it since. */
  #savedAs: string | undefined;
  /** What the work met in the target when it last had to be brought in. */
  #met: string | undefined;
  /** The first attempt whose work did not fit that: the ladder begins with it. */
  #since = 0;

  constructor(crew: CrewContext, flow: Flow, around: Surroundings) {
    this.#crew = crew;
    this.#flow = flow;
    this.#around = around;
  }

  get #task(): Task {
    return this.#around.task;
  }

  async run(): Promise<void> {
    const { spec } = this.#around;
    if (spec.approve && !(await this.#mayStart())) {
      return this.#end({ state: "failed", reason: "A person did not agree that it starts." });
    }
    let next = await this.#step("first", async () => this.#rungAfter(undefined));
    for (let round = 1; ; round++) {
      const beginning = await this.#climb(next, round);
      if ("givenUp" in beginning) {
        return this.#end({ state: "failed", reason: beginning.givenUp });
      }
      const refused = await this.#step(`allowed ${round}`, () => this.#refused(beginning));
      if (refused !== null) return this.#end({ state: "failed", reason: refused });
      const verdict = await this.#attempt(beginning, `${round}`);
      if (verdict.good) return this.#end({ state: "done" });
      if (verdict.givenUp) return this.#end({ state: "failed", reason: verdict.reason });
      next = await this.#step(`next ${round}`, async () =>
        verdict.waited ? this.#goOn() : this.#rungAfter(verdict.end, verdict.refused),
      );
    }
  }

  /** One attempt with everything that follows from it; good means that its work has arrived. */
  async #attempt(beginning: Beginning, round: string): Promise<Verdict> {
    const admitted = await this.#admit(beginning, round);
    if (admitted.kind !== "admitted") {
      const { reason } = admitted;
      return { good: false, end: { kind: "over-budget", reason }, reason, givenUp: true };
    }
    const { asked, ...tried } = await this.#step(`attempt ${round}`, async (signal) => {
      const done = await this.#try(admitted, signal);
      return { ...done, asked: await this.#openQuestion(admitted.number) };
    });
    const { verify } = this.#around.spec;
    this.#savedAs = verify.length === 0 && tried.leftOut?.length === 0 ? tried.commit : undefined;
    if (asked !== null) {
      await this.#hearAnswer(asked, round);
      const reason = "It asked a person.";
      return { good: false, end: { kind: "failed", reason }, reason, waited: true };
    }
    const { verdict, found } = await this.#step(`verdict ${round}`, async (signal) => {
      const judged = await judgeWork(this.#crew, this.#around, tried, signal);
      if (judged.good) await this.#keepResult(tried);
      return { verdict: judged, found: await this.#changes(admitted.number) };
    });
    const strayed = await this.#strayed(found, round);
    if (strayed) return strayed;
    return verdict.good ? this.#accept(tried, round, admitted.number) : verdict;
  }

  /** What a person is asked about changes in their checkout; null: there are none. */
  async #changes(number: number): Promise<CheckoutQuestion | null> {
    const attempts = await this.#crew.store.attempts(this.#task.run, this.#task.id);
    const attempt = attempts.find((one) => one.number === number);
    const { run, task } = this.#around;
    return (attempt && (await checkoutQuestion(this.#crew, run, task, attempt))) ?? null;
  }

  /** Why an attempt is not good whose user says that it changed their checkout. */
  async #strayed(found: CheckoutQuestion | null, round: string): Promise<Verdict | undefined> {
    if (found === null) return undefined;
    const answer = await this.#ask(`checkout ${round}`, found);
    if (answer !== "the task did it") return undefined;
    const reason = `It changed the checkout ${this.#around.run.repository}.`;
    return { good: false, end: { kind: "failed", reason }, reason, givenUp: true };
  }

  /** What the agent asked a person before it ended its turn, and still has no answer. */
  async #openQuestion(number: number): Promise<string | null> {
    const attempts = await this.#crew.store.attempts(this.#task.run, this.#task.id);
    const attempt = attempts.find((one) => one.number === number);
    const question = attempt && (await new CrewTalk(this.#crew).openQuestion(attempt));
    if (question) await this.#state("waiting", question.message);
    return question?.id ?? null;
  }

  /** Waits for an answer, for as long as that takes. */
  async #hearAnswer(asked: string, round: string): Promise<void> {
    for (let times = 1; ; times++) {
      const isAnswered = await this.#step(`answered ${round} ${times}`, async () => {
        return (await this.#crew.store.question(asked))?.answer !== undefined;
      });
      if (isAnswered) return;
      await this.#flow.wait(`person ${round} ${times}`, questionSignal(asked));
    }
  }

  /** The same session goes on: what a person answered is among the messages it hears first. */
  async #goOn(): Promise<Rung & { session?: string }> {
    const all = await this.#crew.store.attempts(this.#task.run, this.#task.id);
    const last = all.findLast(({ isReview }) => !isReview);
    if (!last) return this.#rungAfter(undefined);
    const { session } = last;
    const rung = {
      kind: "resume",
      choice: choiceOf(last),
      extra: "Go on with your task.",
    } as const;
    return { ...rung, ...(session !== undefined && { session }) };
  }

  /** What stands between good work and its place: a reviewer, a person, the merge queue. */
  async #accept(tried: Tried, round: string, number: number): Promise<Verdict> {
    const { spec, run } = this.#around;
    if (spec.plans && run.workflow.approvePlan) {
      const message = planText(resultOf(tried.end), run.workflow);
      const title = `May the crew carry out the plan of "${this.#task.title}"?`;
      const answer = await this.#ask(`plan ${round}`, { kind: "plan", title, message });
      if (answer !== "yes") return bad(`A person did not agree to the plan: ${answer}`);
    }
    if (tried.changed.length === 0) return { good: true };
    const leak = await this.#leaks(tried, round);
    if (leak) return leak;
    if (spec.reviewedBy !== undefined) {
      const review = await this.#review(spec.reviewedBy, round);
      if (!review.good) return review;
    }
    if (run.workflow.approveMerge) {
      const title = `May the work of "${this.#task.title}" be merged into ${run.target}?`;
      const message = `git diff ${run.target}...${this.#task.branch}\n\n${tried.changed.join("\n")}`;
      const answer = await this.#ask(`merge ${round}`, { kind: "merge", title, message });
      if (answer !== "yes") return bad(`A person did not agree to the merge: ${answer}`);
    }
    if (!(await this.#mayMerge(tried, round))) return bad("A person did not agree to the merge.");
    const merged = await this.#step(`merge ${round}`, async (signal) => {
      await this.#state("merging");
      return mergeWork(this.#crew, run, this.#task.id, signal);
    });
    if (merged.kind === "landed") return { good: true };
    this.#savedAs = undefined;
    const met = await this.#step(`bring ${round}`, () => bringTarget(this.#crew, this.#around));
    const isConflict = merged.files.length > 0;
    if (isConflict && met !== this.#met) this.#since = number;
    this.#met = met;
    return bad(merged.reason, { reason: merged.reason, isConflict });
  }

  /** Asks before anything that looks like a secret gets further than the task's own branch. */
  async #leaks({ secrets = [] }: Tried, round: string): Promise<Verdict | undefined> {
    if (secrets.length === 0) return undefined;
    this.#savedAs = undefined;
    const answer = await this.#ask(`secrets ${round}`, secretsQuestion(this.#task, secrets));
    return this.#step(`secrets ${round}`, () =>
      settleSecrets(this.#crew, this.#around, secrets, answer),
    ).then((reason) => (reason === null ? undefined : bad(reason)));
  }

  /** Why an extension does not let the next attempt begin. */
  async #refused({ choice }: Beginning): Promise<string | null> {
    const { run, spec } = this.#around;
    const attempts = await this.#crew.store.attempts(run.id, this.#task.id);
    const attempt = attempts.length + 1;
    const about = { ...choice, role: spec.role, attempt };
    return (await refusedTask(this.#crew, run, this.#task, about)) ?? null;
  }

  /** An extension can hold a merge; then a person decides. */
  async #mayMerge(tried: Tried, round: string): Promise<boolean> {
    const { run } = this.#around;
    const reason = await this.#step(`held ${round}`, async () => {
      return (await refusedMerge(this.#crew, run, this.#task, tried)) ?? null;
    });
    if (reason === null) return true;
    const title = `May the work of "${this.#task.title}" be merged all the same?`;
    const asked = { kind: "merge", title, message: reason } as const;
    return (await this.#ask(`held ${round}`, asked)) === "yes";
  }

  /** Another agent looks at the work, in the same folder and without changing anything. */
  async #review(role: string, round: string): Promise<Verdict> {
    const { run, spec } = this.#around;
    const reviewer = run.workflow.roles[role];
    const [choice] = choicesFor({ ...spec, agents: [] }, reviewer, run.agents);
    if (!reviewer || !choice) return { good: true };
    this.#savedAs = undefined;
    const name = `review ${round}`;
    const admitted = await this.#admit({ choice, isReview: true }, name);
    if (admitted.kind !== "admitted") return bad(`It could not be reviewed: ${admitted.reason}`);
    const { found, ...tried } = await this.#step(name, async (signal) => {
      const done = await this.#try(admitted, signal);
      return { ...done, found: await this.#changes(admitted.number) };
    });
    const strayed = await this.#strayed(found, name);
    if (strayed) return strayed;
    const said = resultOf(tried.end);
    if (said === undefined) return bad("The reviewer did not say anything.");
    const { approved, comments } = Object(said);
    return approved === true ? { good: true } : bad(`The reviewer did not agree: ${comments}`);
  }

  #admit(beginning: Beginning, round: string) {
    const step: Step = (name, work) => this.#step(name, work);
    return takePlace(this.#crew, this.#flow, step, this.#around, beginning, round);
  }

  async #try({ number }: { number: number }, signal: AbortSignal): Promise<Tried> {
    const { run, id } = this.#task;
    const attempts = await this.#crew.store.attempts(run, id);
    const attempt = attempts.find((one) => one.number === number);
    if (!attempt) throw new Error(`there is no attempt ${number} of ${id}`);
    if (attempt.worker !== this.#crew.worker) return this.#takeOver(attempt);
    try {
      return await tryTask(this.#crew, this.#around, attempt, signal);
    } catch (error) {
      // What can be explained to a person is no reason to try the same again and again.
      if (signal.aborted || !(error instanceof SeamError)) throw error;
      // The agent has done its part: Seam alone tries this again.
      if (error.code === "SEAM_CREW_REMOTE") throw error;
      const kind = error.code === "SEAM_CREW_AGENT" ? "unavailable" : "failed";
      const end: AttemptEnd = { kind, reason: `${error.message} ${error.next}` };
      await this.#crew.store.endAttempt(attempt, end);
      return { end, commit: this.#task.commit ?? run, changed: [], unresolved: [] };
    }
  }

  /** Worktrees and sessions do not travel: what another machine began is over, and begins anew here. */
  async #takeOver(attempt: Attempt): Promise<Tried> {
    const end = attempt.end ?? TAKEN_OVER;
    if (!attempt.end) await this.#crew.store.endAttempt(attempt, end);
    return { end, commit: this.#task.commit ?? "", changed: [], unresolved: [] };
  }

  async #keepResult({ end, commit }: Tried): Promise<null> {
    const { run, id } = this.#task;
    const result = resultOf(end);
    await this.#crew.store.changeTask(run, id, ({ refused: _, ...now }) => {
      return { ...now, commit, ...(result !== undefined && { result }) };
    });
    return null;
  }

  /** Which way to go after an attempt that ended like this; undefined: there was none. */
  async #rungAfter(
    end: AttemptEnd | undefined,
    refused?: Refused,
  ): Promise<Rung & { session?: string }> {
    // Nothing is left to spend: a person is asked for more before the session goes on.
    if (end?.kind === "over-budget") return this.#goOn();
    const { spec, role, run } = this.#around;
    const all = await this.#crew.store.attempts(run.id, this.#task.id);
    const own = all.filter(({ isReview }) => !isReview);
    const anew = own.filter(({ number }) => number > (this.#task.triedBefore ?? 0));
    const before = own.at(-1);
    // A person let it begin anew: who was interrupted goes on, everybody else starts over.
    const attempts = anew.length === 0 && before?.end?.kind === "ended" ? [before] : anew;
    const choices = choicesFor(spec, role, run.agents);
    const last = attempts.at(-1);
    // The id of a session is written down before its agent is started, which may not have come to it.
    const isHere = last?.worker === this.#crew.worker && wasStarted(last);
    const session = isHere ? last.session : undefined;
    const first: AttemptEnd = { kind: "failed", reason: "nothing was tried yet" };
    const is = end ?? last?.end ?? first;
    const now = new Date();
    const known = last && session === undefined ? [...attempts.slice(0, -1), bare(last)] : attempts;
    const rung = nextRung({ attempts: known, end: is, choices, now, since: this.#since });
    const next = refused ? knowing(rung, refused, last?.workspace) : rung;
    return { ...next, ...(session !== undefined && { session }) };
  }

  /** Waits or asks if that is what comes next, and says how the next attempt begins. */
  async #climb(
    rung: Rung & { session?: string },
    round: number,
  ): Promise<Beginning | { givenUp: string }> {
    if (rung.kind === "wait") {
      await this.#step(`limited ${round}`, () => this.#state("waiting", rung.reason));
      await this.#flow.sleep(`limit ${round}`, new Date(rung.until));
      return this.#again(rung.session, "Go on where you stopped.");
    }
    if (rung.kind === "person") {
      const title = `"${this.#task.title}" needs you`;
      const asked = { kind: "stuck", title, message: rung.question } as const;
      const answer = await this.#ask(`stuck ${round}`, asked);
      if (answer === "give up") return { givenUp: rung.why ?? rung.question };
      return this.#again(rung.session, answer === "try again" ? "Try again." : answer);
    }
    const { kind, choice, extra } = rung;
    const told = extra === "" ? {} : { told: extra };
    if (kind === "resume" && rung.session !== undefined) {
      return { choice, resumes: rung.session, ...told };
    }
    return { choice, ...told };
  }

  async #again(
    session: string | undefined,
    told: string,
  ): Promise<Beginning | { givenUp: string }> {
    const { spec, role, run } = this.#around;
    const attempts = await this.#crew.store.attempts(run.id, this.#task.id);
    const last = attempts.findLast(({ isReview }) => !isReview);
    const choice = last ? choiceOf(last) : choicesFor(spec, role, run.agents)[0];
    if (!choice) return { givenUp: "No agent may do this task." };
    return { choice, told, ...(session !== undefined && last && { resumes: session }) };
  }

  #mayStart(): Promise<boolean> {
    const { title } = this.#task;
    const asked = {
      kind: "start",
      title: `May the task "${title}" start?`,
      message: this.#around.spec.prompt,
    } as const;
    return this.#ask("start", asked).then((answer) => answer === "yes");
  }

  async #ask(name: string, asked: Parameters<typeof askPerson>[4]): Promise<string> {
    return askPerson(this.#crew, this.#flow, this.#task, name, asked);
  }

  async #state(state: Task["state"], reason?: string): Promise<null> {
    await setTaskState(this.#crew, this.#task, { state, ...(reason !== undefined && { reason }) });
    return null;
  }

  async #end(end: Parameters<typeof endTask>[2]): Promise<void> {
    await this.#step("end", async () => {
      await releaseWorkspace(this.#crew, this.#around, this.#savedAs);
      await endTask(this.#crew, this.#task, end);
      return null;
    });
  }

  /** What steps give back is stored as JSON by the engine and comes back as it was. */
  async #step<Output>(
    name: string,
    work: (signal: AbortSignal) => Promise<Output>,
  ): Promise<Output> {
    const text = await this.#flow.step(name, (signal) =>
      openly(this.#crew, this.#task, signal, async () => JSON.stringify(await work(signal))),
    );
    const output: Output = JSON.parse(text);
    return output;
  }
}

function resultOf(end: AttemptEnd): unknown {
  return end.kind === "finished" ? (end.result ?? end.text) : undefined;
}

/** Without the session that nobody can go on with here. */
const bare = ({ session: _, ...attempt }: Attempt): Attempt => attempt;

const choiceOf = ({ agent, model }: Attempt) => ({ agent, ...(model !== undefined && { model }) });
