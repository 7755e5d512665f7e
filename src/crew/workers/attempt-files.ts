import { join } from "node:path";

/** What is in the folder of an attempt. */
export interface AttemptFiles {
  readonly folder: string;
  readonly prompt: string;
  readonly stdin: string;
  readonly stdout: string;
  readonly stderr: string;
  /** The exit code of the agent, written by what started it. */
  readonly exit: string;
  /** "<pid> <when the kernel says it started> <which start of the machine that was> <seconds it had slept>". */
  readonly pid: string;
  /** Why Seam ended it, written before it was. */
  readonly ended: string;
  /** One line for each hook of the attempt that the daemon heard. */
  readonly heard: string;
  /** What the agent handed over with the tool crew_result. */
  readonly result: string;
  readonly schema: string;
  /** What the session had used before, where it is gone on with. */
  readonly base: string;
  /** What bubblewrap says of the walls around the agent; beside the folder, so that it cannot be changed inside of them. */
  readonly walls: string;
  /** The pipe through which the daemon is started from inside of the walls. */
  readonly ring: string;
  /** The same files once more, for the process that is asked to say its result again. */
  readonly repair: string;
}

export function attemptFiles(folder: string): AttemptFiles {
  return {
    folder,
    prompt: join(folder, "prompt.md"),
    stdin: join(folder, "stdin"),
    stdout: join(folder, "stdout"),
    stderr: join(folder, "stderr"),
    exit: join(folder, "exit"),
    pid: join(folder, "pid"),
    ended: join(folder, "ended.json"),
    heard: join(folder, "heard.jsonl"),
    result: join(folder, "result.json"),
    schema: join(folder, "schema.json"),
    base: join(folder, "base.json"),
    walls: `${folder}.walls.json`,
    ring: join(folder, "ring"),
    repair: join(folder, "repair"),
  };
}
