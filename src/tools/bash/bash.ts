import { type Static, Type } from "typebox";
import { messageOf } from "../../errors/index.ts";
import { throwIfAborted, untilAborted } from "../abort.ts";
import { formatSize } from "../format-size.ts";
import type { BuiltinTool, ToolUpdate } from "../tool.ts";
import { DEFAULT_MAX_LINES, type TruncationResult } from "../truncate.ts";
import { createLocalBashOperations } from "./local-operations.ts";
import type { BashOperations } from "./operations.ts";
import { CommandOutput, type OutputSnapshot } from "./output.ts";
import { MAX_SAVED_BYTES } from "./output-file.ts";
import { KILL_GRACE_MS } from "./process-group.ts";
import { Throttle } from "./throttle.ts";

const UPDATE_EVERY_MS = 100;

const bashSchema = Type.Object({
  command: Type.String({ description: "The command line to run" }),
  timeout: Type.Optional(
    Type.Number({ description: "Seconds after which the command is stopped (default: never)" }),
  ),
});

export type BashToolInput = Static<typeof bashSchema>;

export interface BashToolDetails {
  truncation?: TruncationResult;
  /** A file with the whole output, when the result has only the end of it. */
  fullOutputPath?: string;
}

export interface BashSpawnContext {
  command: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
}

export type BashSpawnHook = (context: BashSpawnContext) => BashSpawnContext;

export interface BashToolOptions {
  operations?: BashOperations;
  /** Lines to run before every command, such as the setup of the shell. */
  commandPrefix?: string;
  shellPath?: string;
  /** The last word on command, folder and environment. */
  spawnHook?: BashSpawnHook;
}

/**
 * The tool with which models run shell commands, to be registered by an extension in its own form.
 *
 * @example
 * // Every command runs in a container.
 * pi.registerTool(
 *   createBashTool(process.cwd(), {
 *     spawnHook: (run) => ({ ...run, command: `docker exec dev sh -c ${JSON.stringify(run.command)}` }),
 *   }),
 * );
 */
export function createBashTool(
  cwd: string,
  options: BashToolOptions = {},
): BuiltinTool<typeof bashSchema, BashToolDetails | undefined> {
  const { commandPrefix, shellPath, spawnHook } = options;
  const operations =
    options.operations ?? createLocalBashOperations(shellPath ? { shellPath } : {});
  return {
    name: "bash",
    label: "bash",
    description: `Run a command in a shell in the working folder, without input. Returns what it prints, both outputs together. Of long output only the last ${DEFAULT_MAX_LINES} lines or 50KB are shown; the rest is kept in a file. With timeout the command is stopped after that many seconds.`,
    promptSnippet: "Run shell commands",
    parameters: bashSchema,
    async execute(_toolCallId, { command, timeout }, signal, onUpdate) {
      throwIfAborted(signal);
      const context: BashSpawnContext = {
        command: commandPrefix ? `${commandPrefix}\n${command}` : command,
        cwd,
        env: { ...process.env },
      };
      const spawn = spawnHook?.(context) ?? context;
      const output = new CommandOutput();
      const updates = new Throttle(UPDATE_EVERY_MS, () => report(output.snapshot(), onUpdate));
      const run = async () =>
        operations.exec(spawn.command, spawn.cwd, {
          onData: (data) => {
            output.append(data);
            updates.trigger();
          },
          ...(signal && { signal }),
          ...(timeout !== undefined && { timeout }),
          env: spawn.env,
        });
      // Local commands end by themselves on an abort; a remote one may not.
      const ended = await untilAborted(signal, run, KILL_GRACE_MS + 1000).catch(
        (error: unknown) => ({ error }),
      );
      output.finish();
      updates.stop();
      if ("error" in ended) throw failure(ended.error, output, signal);
      const snapshot = output.snapshot();
      const text = outputText(snapshot);
      if (ended.exitCode !== 0) throw new Error(withStatus(text, exitStatus(ended.exitCode)));
      const content = [{ type: "text" as const, text: text || "The command printed nothing." }];
      return snapshot.truncation.truncated ? { content, details: snapshot } : { content };
    },
  };
}

function report(snapshot: OutputSnapshot, onUpdate: ToolUpdate<BashToolDetails> | undefined): void {
  const content = [{ type: "text" as const, text: snapshot.truncation.content }];
  try {
    onUpdate?.(snapshot.truncation.truncated ? { content, details: snapshot } : { content });
  } catch {
    // This runs inside a stream's listener: whoever watches must not take the command down.
  }
}

function failure(error: unknown, output: CommandOutput, signal: AbortSignal | undefined): Error {
  const message = messageOf(error);
  const seconds = /^timeout:(.*)$/.exec(message)?.[1];
  if (seconds !== undefined) {
    const status = `The command was stopped: it took longer than ${seconds} seconds. Give it more time with timeout, or run it in the background.`;
    return new Error(withStatus(outputText(output.snapshot()), status));
  }
  const shown = output.snapshot().truncation.content;
  output.discardFile();
  if (signal?.aborted || message === "aborted") {
    return new Error(withStatus(shown, "The command was aborted."));
  }
  return new Error(withStatus(shown, `The command could not be run: ${message}`), { cause: error });
}

function exitStatus(exitCode: number | null): string {
  return exitCode === null
    ? "The command was killed before it finished."
    : `The command failed with exit code ${exitCode}.`;
}

function withStatus(text: string, status: string): string {
  return text ? `${text}\n\n${status}` : status;
}

/** The output as the model sees it: when its start is missing, a last line tells where to find it. */
function outputText({ truncation, fullOutputPath }: OutputSnapshot): string {
  if (!truncation.truncated) return truncation.content;
  const { outputLines, totalLines, outputBytes } = truncation;
  const part = truncation.lastLinePartial
    ? `Only the last ${formatSize(outputBytes)} of line ${totalLines}`
    : `Only lines ${totalLines - outputLines + 1} to ${totalLines} of ${totalLines}`;
  const saved =
    truncation.totalBytes > MAX_SAVED_BYTES
      ? `The first ${formatSize(MAX_SAVED_BYTES)}`
      : "All of it";
  const where = fullOutputPath ? `${saved}: ${fullOutputPath}` : "The rest could not be saved";
  return `${truncation.content}\n\n[${part}. ${where}]`;
}
