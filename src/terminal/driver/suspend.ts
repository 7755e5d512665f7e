/** A timer that is never due; a process that waits for nothing would end. */
const LONG_MS = 2 ** 30;

/** Ctrl+Z: gives the terminal back to the shell until the user says `fg`. */
export function suspendProcess(screen: { stop(): void; start(): void }): void {
  screen.stop();
  const awake = setInterval(() => {}, LONG_MS);
  process.once("SIGCONT", () => {
    clearInterval(awake);
    screen.start();
  });
  // The whole group, as the terminal itself would do it: a parent such as npx must stop too.
  process.kill(0, "SIGTSTP");
}
