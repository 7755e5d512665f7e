import { createConnection } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { systemCode } from "../errors/index.ts";
import { type FileLock, tryLock } from "../files/index.ts";

/**
 * How long a daemon may take from its lock to its socket. Well below what the clients wait for one
 * that starts: whoever takes over from a daemon that hangs is up before they give up.
 */
const START_MS = 4_000;
const RETRY_MS = 20;

/**
 * Makes this process the daemon, or says that another one is. The lock counts while its process
 * runs and answers on its socket, or was there a moment ago. One that starts or ends is waited for.
 */
export async function acquireLock(path: string, socket: string): Promise<FileLock | undefined> {
  for (;;) {
    const lock = tryLock(path);
    if (lock.isOurs) return lock;
    if (await accepts(socket)) return undefined;
    if (lock.ageMs > START_MS) {
      const again = tryLock(path, ({ ageMs }) => ageMs > START_MS);
      if (again.isOurs) return again;
    }
    await sleep(RETRY_MS);
  }
}

/** Whether some process listens on the socket, however busy it is. */
export function accepts(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket);
    const end = (answer: boolean) => {
      connection.destroy();
      resolve(answer);
    };
    connection.once("connect", () => end(true));
    connection.once("error", (error) => end(systemCode(error) === "EAGAIN"));
  });
}
