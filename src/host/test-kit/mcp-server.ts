/**
 * The program of an MCP server with one tool, that says something by itself when the tool is called.
 * Written by hand, so that it says what is on the wire and not what a library makes of it.
 */
export const MCP_SERVER = `
import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "probe", version: "1" },
    instructions: "Echo what matters.",
  }),
  ping: () => ({}),
  "tools/list": () => ({
    tools: [
      {
        name: "echo",
        description: "Says it again.",
        inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        annotations: { readOnlyHint: true },
      },
    ],
  }),
  "tools/call": ({ arguments: { text } }) => {
    send({ method: "notifications/message", params: { level: "info", data: "called" } });
    return { content: [{ type: "text", text: "echo " + text }], structuredContent: { text } };
  },
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  if (answer) send({ id, result: answer(params ?? {}) });
  else send({ id, error: { code: -32601, message: "unknown method" } });
});
`;
