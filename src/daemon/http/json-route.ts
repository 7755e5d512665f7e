import type { IncomingMessage } from "node:http";
import { SeamError } from "../../errors/index.ts";
import { readBody } from "./read-body.ts";
import { endWithJson, type Handle } from "./server.ts";

/** A client of Seam's own has its question ready before it connects. */
const BODY_SILENT_MS = 5_000;

/**
 * Answers with JSON what is asked with JSON. `body` is what came, not checked yet; undefined if it
 * is no JSON or empty. An error of Seam's goes to the client as it is.
 */
export function jsonRoute(answer: (body: unknown, url: URL) => unknown): Handle {
  return async (request, url, response) => {
    const body = await jsonOf(request);
    try {
      endWithJson(response, (await answer(body, url)) ?? {});
    } catch (error) {
      if (!(error instanceof SeamError)) throw error;
      response.writeHead(400, { "content-type": "application/json" });
      response.end(`${JSON.stringify(error)}\n`);
    }
  };
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const text = await readBody(request, BODY_SILENT_MS);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
