import type { BashExecutionMessage } from "../events/index.ts";
import { type BashOperations, createLocalBashOperations, truncateTail } from "../tools/index.ts";
import type { Core } from "./core.ts";

/** Runs a command the user entered with `!`: here, or wherever an extension says. */
export async function userBash(
  core: Core,
  command: string,
  { excludeFromContext = false }: { excludeFromContext?: boolean } = {},
): Promise<BashExecutionMessage> {
  const { cwd, emitter, session, cuts } = core;
  const { result: claimed } = await emitter.ask({
    type: "user_bash",
    command,
    excludeFromContext,
    cwd,
  });
  const operations = claimed?.operations as BashOperations | undefined;
  const outcome = claimed?.result ?? (await cuts.apart(() => execute(command, cwd, operations)));
  const message: BashExecutionMessage = {
    role: "bashExecution",
    command,
    output: outcome.output,
    exitCode: outcome.exitCode,
    cancelled: outcome.cancelled,
    truncated: outcome.truncated,
    ...(excludeFromContext && { excludeFromContext }),
    timestamp: Date.now(),
  };
  session.appendMessage(message);
  return message;
}

async function execute(
  command: string,
  cwd: string,
  operations: BashOperations = createLocalBashOperations(),
) {
  const chunks: Buffer[] = [];
  const { exitCode } = await operations.exec(command, cwd, { onData: (data) => chunks.push(data) });
  const { content, truncated } = truncateTail(Buffer.concat(chunks).toString("utf8"));
  return {
    output: content,
    exitCode: exitCode ?? undefined,
    cancelled: exitCode === null,
    truncated,
  };
}
