import type { ServerResponse } from "node:http";
import { type Static, Type } from "typebox";
import { checkedBody } from "./checked-body.ts";
import { jsonRoute } from "./http/json-route.ts";
import type { Handle } from "./http/server.ts";
import { dialogQuestion } from "./inbox/dialog-question.ts";
import {
  AnswerSchema,
  answerIn,
  type InboxEvent,
  MethodSchema,
  type Question,
} from "./inbox/question.ts";
import type { LiveSession } from "./presence/live-session.ts";
import type { People } from "./presence/people.ts";
import type { DaemonService } from "./service.ts";

const HoldSchema = Type.Object({
  agent: Type.String(),
  session: Type.String(),
  /** Lets the session go on. */
  off: Type.Optional(Type.Boolean()),
  by: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
});

const InterruptSchema = Type.Object({
  agent: Type.String(),
  session: Type.String(),
  /** The extension that wants it; absent if a person does. */
  by: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
});

const SaySchema = Type.Object({
  agent: Type.String(),
  session: Type.String(),
  text: Type.String({ minLength: 1, maxLength: 100_000 }),
  by: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
});

const text = Type.String({ maxLength: 1_000_000 });
const AskSchema = Type.Object({
  /** The same when the question is put again because the daemon was killed. */
  key: Type.String({ minLength: 8, maxLength: 200 }),
  agent: Type.String(),
  session: Type.String(),
  cwd: Type.String(),
  by: Type.String(),
  method: MethodSchema,
  title: text,
  message: Type.Optional(text),
  options: Type.Optional(Type.Array(text, { maxItems: 10_000 })),
  placeholder: Type.Optional(text),
  prefill: Type.Optional(text),
  timeoutMs: Type.Optional(Type.Number({ minimum: 0 })),
  call: Type.Optional(
    Type.Object({ tool: Type.String(), input: Type.Record(Type.String(), Type.Unknown()) }),
  ),
});

/** A question of a program that is its own agent. */
export type AskRequest = Static<typeof AskSchema>;

/** A line of the stream that an attached client reads. */
export type InboxLine =
  | { readonly type: "waiting"; readonly questions: readonly Question[] }
  | InboxEvent
  | { readonly type: "session"; readonly session: LiveSession };

/** A client that is further behind has stopped reading: it is let go and asks anew when it comes back. */
const MOST_BUFFERED = 1024 * 1024;

/** What Seam's own clients ask about the inbox and about live sessions. */
export function peopleService(people: People): DaemonService {
  const { inbox, sessions } = people;
  const streams = new Set<ServerResponse>();
  const watch: Handle = (request, { searchParams }, response) => {
    request.resume();
    response.writeHead(200, {
      "content-type": "application/x-ndjson",
      "cache-control": "no-store",
    });
    const write = (line: InboxLine) => {
      if (response.writableLength > MOST_BUFFERED) response.destroy();
      else response.write(`${JSON.stringify(line)}\n`);
    };
    streams.add(response);
    write({ type: "waiting", questions: inbox.questions() });
    const name = searchParams.get("name") ?? "a client";
    const detach = inbox.attach({ name, hear: write });
    const unfollow = sessions.follow((session) => write({ type: "session", session }));
    response.once("close", () => {
      streams.delete(response);
      detach();
      unfollow();
    });
  };
  const ask: Handle = async (request, url, response) => {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const answer = jsonRoute(async (body) => {
      const { key, agent, session, cwd, by, call, ...dialog } = checkedBody(AskSchema, body);
      const question = dialogQuestion(dialog, { agent, session, cwd, by }, undefined);
      const about = call && { call };
      const settled = await inbox.ask({ ...question, ...about, key, signal: gone.signal });
      return { value: answerIn(settled) };
    });
    await answer(request, url, response);
  };
  return {
    name: "inbox",
    isBusy: () => people.isBusy,
    close: async () => {
      for (const stream of streams) stream.end();
    },
    status: () => ({ waiting: inbox.questions().length, clients: inbox.clients }),
    routes: {
      "GET /v1/inbox": jsonRoute(() => ({ questions: inbox.questions() })),
      "GET /v1/inbox/watch": watch,
      "POST /v1/inbox/ask": ask,
      "POST /v1/inbox/answer": jsonRoute((body) => inbox.answer(checkedBody(AnswerSchema, body))),
      "GET /v1/live": jsonRoute(() => ({ sessions: sessions.list() })),
      "POST /v1/live/hold": jsonRoute((body) => {
        const { off = false, by = "seam hold", agent, session } = checkedBody(HoldSchema, body);
        if (off) sessions.release({ agent, session }, by);
        else sessions.hold({ agent, session });
        return {};
      }),
      "POST /v1/live/say": jsonRoute((body) => {
        const { text, by, agent, session } = checkedBody(SaySchema, body);
        return sessions.say({ agent, session }, text, by);
      }),
      "POST /v1/live/interrupt": jsonRoute((body) => {
        const { by = "you", agent, session } = checkedBody(InterruptSchema, body);
        return sessions.interrupt({ agent, session }, by);
      }),
    },
  };
}
