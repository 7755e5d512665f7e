/** The thread that speaks MCP: its library takes longer to load than a hook may wait. */
import { parentPort } from "node:worker_threads";
import type { FromMcpThread, ToMcpThread } from "../protocol.ts";
import { Connection } from "./connection.ts";
import { Wishes } from "./wishes.ts";

const send = (message: FromMcpThread) => parentPort?.postMessage(message);
const wishes = new Wishes(send);
const connections = new Map<number, Connection>();

type Take = {
  readonly [Do in ToMcpThread["do"]]: (message: Extract<ToMcpThread, { do: Do }>) => void;
};

const take: Take = {
  open: ({ client, ...place }) => {
    connections.set(client, new Connection(client, place, { send, wishes }));
  },
  bytes: ({ client, bytes }) => connections.get(client)?.hear(Buffer.from(bytes)),
  close: ({ client }) => {
    void connections.get(client)?.close();
    connections.delete(client);
  },
  changed: ({ client }) => connections.get(client)?.changed(),
  grant: ({ id, granted }) => wishes.grant(id, granted),
  progress: ({ id, text }) => wishes.progress(id, text),
  ask: ({ id, dialog }) => wishes.ask(id, dialog),
};

function takeOne<Do extends ToMcpThread["do"]>(message: Extract<ToMcpThread, { do: Do }>): void {
  const act: Take[Do] = take[message.do as Do];
  act(message);
}

parentPort?.on("message", takeOne);
