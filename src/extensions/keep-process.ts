/**
 * Keeps an extension in a thread from ending the whole process with a signal to itself: it ends the
 * thread, as `process.exit` does there. Call it where nobody but extensions sends signals.
 */
export function keepProcess(): void {
  const { kill } = process;
  process.kill = (pid, signal) => {
    // Others may ask whether the process is alive.
    if (signal === 0 || !isOwn(pid)) return kill.call(process, pid, signal);
    return process.exit(ENDED_BY_SIGNAL);
  };
}

/** What a shell says of a program that was ended by SIGKILL. */
const ENDED_BY_SIGNAL = 137;

/** 0 is the group of whoever asks, a negative number that of the process it names. */
function isOwn(pid: unknown): boolean {
  return [0, process.pid, -process.pid].includes(Number(pid));
}
