import { messageOf } from "../errors/index.ts";
import type { BashExecutionMessage } from "../events/index.ts";
import {
  type BashOperations,
  CommandOutput,
  createLocalBashOperations,
  KILL_GRACE_MS,
  untilAborted,
} from "../tools/index.ts";
import type { Core } from "./core.ts";

type Outcome = Pick<
  BashExecutionMessage,
  "output" | "exitCode" | "cancelled" | "truncated" | "fullOutputPath"
>;

const NOT_RUN: Outcome = { output: "", exitCode: undefined, cancelled: true, truncated: false };

const LINE_FEED = 10;

/** How a command of the user's is run. */
export interface UserBashOptions {
  /** The model does not get to see it. */
  readonly excludeFromContext?: boolean;
  /** Is called with what the command writes, while it runs. */
  readonly onOutput?: (data: Buffer) => void;
}

/** The commands the user has entered with `!`, as long as they run. */
export class UserCommands {
  readonly #running = new Map<AbortController, Promise<unknown>>();

  get any(): boolean {
    return this.#running.size > 0;
  }

  /** Runs a command: here, or wherever an extension says. */
  run(core: Core, command: string, options: UserBashOptions = {}): Promise<BashExecutionMessage> {
    const controller = new AbortController();
    const message = userBash(core, command, options, controller.signal);
    const done = message.then(
      () => this.#running.delete(controller),
      () => this.#running.delete(controller),
    );
    this.#running.set(controller, done);
    return message;
  }

  /** Tells them to end. */
  abort(): void {
    for (const controller of this.#running.keys()) controller.abort();
  }

  /** Resolves when none of those that run now runs any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}

async function userBash(
  core: Core,
  command: string,
  { excludeFromContext = false, onOutput }: UserBashOptions,
  signal: AbortSignal,
): Promise<BashExecutionMessage> {
  const { cwd, emitter } = core;
  const { result: claimed } = await emitter.emit(
    { type: "user_bash", command, excludeFromContext, cwd },
    signal,
  );
  const operations = claimed?.operations as BashOperations | undefined;
  const outcome =
    claimed?.result ??
    (signal.aborted ? NOT_RUN : await execute(command, cwd, signal, operations, onOutput));
  const { output, exitCode, cancelled, truncated, fullOutputPath } = outcome;
  const message: BashExecutionMessage = {
    role: "bashExecution",
    command,
    output,
    exitCode,
    cancelled,
    truncated,
    ...(fullOutputPath !== undefined && { fullOutputPath }),
    ...(excludeFromContext && { excludeFromContext }),
    timestamp: Date.now(),
  };
  core.session.tree.appendMessage(message);
  return message;
}

async function execute(
  command: string,
  cwd: string,
  signal: AbortSignal,
  operations: BashOperations = createLocalBashOperations(),
  onOutput?: UserBashOptions["onOutput"],
): Promise<Outcome> {
  const output = new CommandOutput();
  let lastByte: number | undefined;
  const onData = (data: Buffer) => {
    output.append(data);
    lastByte = data.at(-1) ?? lastByte;
    onOutput?.(data);
  };
  const exec = async () => operations.exec(command, cwd, { onData, signal });
  let exitCode: number | null = null;
  try {
    // Local commands end by themselves on an abort; a remote one may not.
    ({ exitCode } = await untilAborted(signal, exec, KILL_GRACE_MS + 1000));
  } catch (thrown) {
    if (!signal.aborted && messageOf(thrown) !== "aborted") {
      output.discardFile();
      throw thrown;
    }
  } finally {
    output.finish();
  }
  const { truncation, fullOutputPath } = output.snapshot();
  const { content, truncated } = truncation;
  return {
    output: !truncated && lastByte === LINE_FEED ? `${content}\n` : content,
    exitCode: exitCode ?? undefined,
    cancelled: exitCode === null,
    truncated,
    ...(fullOutputPath !== undefined && { fullOutputPath }),
  };
}
