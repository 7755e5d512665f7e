import { spawn } from "node:child_process";
import { join } from "node:path";
import {
  client as clientApp,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type PromptRequest,
} from "@agentclientprotocol/sdk";
import { expect, it } from "vitest";
import { place } from "./cli/seam.ts";

const SEAM = join(import.meta.dirname, "../dist/bin/seam.js");

it("seam acp works with a client of the protocol, keeps stdout to it, and ends with its input", async () => {
  const { project, home } = place({
    "turns.json": JSON.stringify([{ text: "Hello from Seam" }]),
    "loud.ts": "console.log('loud'); export default () => {};",
  });
  const args = [SEAM, "acp", "--model", "scripted:turns.json", "-e", "loud.ts"];
  const env = { PATH: process.env.PATH, HOME: home, SEAM_HOME: join(home, ".seam") };
  const child = spawn(process.execPath, args, { cwd: project, env });
  const ended = new Promise((done) => child.once("exit", done));
  let said = "";
  const output = new WritableStream<Uint8Array>({
    write: (bytes) => void child.stdin.write(bytes),
    close: () => void child.stdin.end(),
  });
  const input = new ReadableStream<Uint8Array>({
    start: (stream) => {
      child.stdout.on("data", (bytes: Buffer) => stream.enqueue(bytes));
      child.stdout.once("end", () => stream.close());
    },
  });
  const connection = clientApp({ name: "editor" })
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      if (update.sessionUpdate !== "agent_message_chunk" || update.content.type !== "text") return;
      said += update.content.text;
    })
    .connect(ndJsonStream(output, input));
  const { agent } = connection;
  const { agentInfo } = await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
  });
  expect(agentInfo?.name).toBe("seam");
  const { sessionId } = await agent.request(methods.agent.session.new, {
    cwd: project,
    mcpServers: [],
  });
  const prompt: PromptRequest = { sessionId, prompt: [{ type: "text", text: "hi" }] };
  expect(await agent.request(methods.agent.session.prompt, prompt)).toEqual({
    stopReason: "end_turn",
  });
  expect(said).toBe("Hello from Seam");
  child.stdin.end();
  expect(await ended).toBe(0);
});
