import { parentPort } from "node:worker_threads";
import { messageOf, SeamError } from "../errors/index.ts";
import type { Answered, Asked, Leave, SentError } from "./calls.ts";

/**
 * What a thread does that an `AskedThread` started: answers each question, with an error if need be.
 * `leave` closes what the thread has open, when it is told to end.
 */
export function answerCalls<Method extends string>(
  answerTo: (method: Method, ask: unknown) => unknown,
  leave?: () => unknown,
): void {
  const send = (answered: Answered) => parentPort?.postMessage(answered);
  parentPort?.on("message", async (message: Asked<Method> | Leave) => {
    if ("leave" in message) {
      await Promise.resolve(leave?.()).catch(() => {});
      // In a thread this ends the thread alone.
      process.exit();
    }
    const { id, method, ask } = message;
    try {
      send({ say: "done", id, answer: await answerTo(method, ask) });
    } catch (error) {
      send({ say: "failed", id, error: sendable(error) });
    }
  });
}

function sendable(error: unknown): SentError {
  const message = messageOf(error);
  return error instanceof SeamError
    ? { message, code: error.code, details: error.details }
    : { message };
}
