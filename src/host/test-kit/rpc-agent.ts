import { createAgent } from "../create-agent.ts";
import { scriptedModels } from "../models/index.ts";
import { jsonLine, RpcUI, runRpc, takeStdout } from "../modes/index.ts";
import { addTool, text } from "./tools.ts";

// An agent at the other end of a pipe. Its only argument is the script of its model.
const stdout = takeStdout();
const send = (message: unknown) => stdout.write(jsonLine(message));
const rpcUI = new RpcUI(send);
const circle: Record<string, unknown> = { name: "circle" };
circle.self = circle;

const agent = await createAgent({
  cwd: process.cwd(),
  mode: "rpc",
  ui: rpcUI.ui,
  watchdog: { afterMs: Number(process.env.STUCK_MS ?? 10_000), onStuck: "end" },
  models: scriptedModels(JSON.parse(process.argv[2] ?? "[]"), { env: {} }),
  extensions: [
    {
      name: "demo",
      factory: (pi) => {
        pi.registerCommand("ask", {
          description: "Asks everything there is to ask",
          handler: async (_args, { ui }) => {
            const answers = [
              await ui.select("Which?", ["a", "b"]),
              await ui.confirm("Sure?", "Really"),
              await ui.input("Name?", "Ada"),
              await ui.editor("Edit", "draft"),
            ];
            ui.notify(JSON.stringify(answers.map((answer) => answer ?? null)));
          },
        });
        pi.registerCommand("ask-once", {
          handler: async (args, { ui }) => {
            const timeout = Number(args);
            const answer = await ui.select("Which?", ["a"], timeout ? { timeout } : {});
            ui.notify(`answered ${answer}`, "warning");
          },
        });
        pi.registerCommand("show", {
          handler: (_args, { ui }) => {
            ui.setStatus("state", "busy");
            ui.setWidget("list", ["one", "two"], { placement: "belowEditor" });
            ui.setTitle("The title");
            ui.setEditorText("typed for you");
          },
        });
        pi.registerCommand("print", {
          handler: () => {
            console.log("noise from console");
            process.stdout.write("noise from stdout\n");
          },
        });
        pi.registerCommand("stuck", {
          handler: async (args, { ui }) => {
            if (args === "later") await ui.select("Which?", ["a"]);
            while (true);
          },
        });
        pi.registerCommand("quit", { handler: (_args, ctx) => ctx.shutdown() });
        addTool(pi, "circle", async (_id, _params, _signal, onUpdate) => {
          onUpdate?.(text("half", { details: circle }));
          return text("whole", { details: circle });
        });
      },
    },
  ],
});
await runRpc(agent, rpcUI, process.stdin, send);
await agent.dispose();
await stdout.flushed();
process.exit(0);
