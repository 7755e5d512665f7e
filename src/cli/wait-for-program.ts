import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";

/**
 * Waits for a program that has the terminal and gives its exit code as a shell would. Ctrl-C is for
 * that program: if Seam left, both it and the shell would read from the terminal.
 */
export async function waitForProgram(child: ChildProcess): Promise<number> {
  const stay = () => {};
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of ["SIGINT", "SIGQUIT"] as const) process.on(signal, stay);
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, pass);
  try {
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  } finally {
    for (const signal of ["SIGINT", "SIGQUIT"] as const) process.off(signal, stay);
    for (const signal of ["SIGTERM", "SIGHUP"] as const) process.off(signal, pass);
  }
}
