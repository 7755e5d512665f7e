import { ndJsonStream } from "@agentclientprotocol/sdk";
import type { Command } from "commander";
import { serveAcp } from "../../acp/index.ts";
import { usageError } from "../../errors/index.ts";
import { describeProblem } from "../../extensions/index.ts";
import { createAgent, Models, SessionStore, takeStdout } from "../../host/index.ts";
import { packageVersion } from "../../settings/index.ts";
import { agentOptions } from "../run/agent-options.ts";
import { levelOf } from "../run/check-options.ts";
import { extensionsFor, refuseWithoutNamed } from "../run/find-extensions.ts";
import { each, leavesOut } from "../run/run-options.ts";
import { warn } from "../run/warn.ts";

interface Options {
  model?: string;
  thinking?: string;
  extension?: string[];
  noExtensions?: true;
  noSession?: true;
}

export function addAcp(program: Command): void {
  program
    .command("acp")
    .option("-m, --model <model>", "provider/model, or scripted:<file> for a prepared one")
    .option("--thinking <level>", "off, minimal, low, medium, high, xhigh")
    .option("-e, --extension <path>", "also load this extension; can be given several times", each)
    .addOption(leavesOut("--no-extensions", "load no extensions but those given with -e"))
    .addOption(leavesOut("--no-session", "keep nothing"))
    .addHelpText(
      "after",
      `
Editors start this themselves: it speaks the Agent Client Protocol on stdin and
stdout, one line of JSON each. In Zed, under "agent_servers" in its settings:

  "Seam": { "command": "seam", "args": ["acp"] }

Examples:
  seam acp --model anthropic/claude-sonnet-5-5
  seam acp --model scripted:turns.json`,
    )
    .action(acp);
}

async function acp(options: Options): Promise<void> {
  if (process.stdin.isTTY) {
    throw usageError(
      "seam acp is started by an editor, which talks to it over stdin and stdout.",
      "Name it in the settings of the editor. On a terminal: seam run",
    );
  }
  const stdout = takeStdout();
  const decoder = new TextDecoder();
  const output = new WritableStream<Uint8Array>({
    write: (bytes) => stdout.write(decoder.decode(bytes, { stream: true })),
  });
  const input = new ReadableStream<Uint8Array>({
    start: (stream) => {
      process.stdin.on("data", (bytes: Buffer) => stream.enqueue(bytes));
      process.stdin.once("end", () => stream.close());
    },
  });
  if (options.thinking !== undefined) levelOf(options.thinking);
  await serveAcp(
    {
      version: packageVersion(),
      open: async ({ cwd, resume, extensions, ui, onEvent }) => {
        const models = new Models();
        const found = [...(await extensionsFor(cwd, options, warn)), ...extensions];
        const chosen = { ...options, mode: "rpc", ...(resume !== undefined && { resume }) };
        const agent = await createAgent({
          ...(await agentOptions(chosen, { cwd, warn, found })),
          mode: "rpc",
          models,
          flags: (set) => {
            refuseWithoutNamed(set, cwd, options.extension);
            for (const { problem } of set.failures) warn(describeProblem(problem));
            return {};
          },
          onLog: (level, text) => {
            if (level !== "error" && level !== "warn") return;
            warn(text);
            // Nobody looks at what an editor's programs write there.
            ui.notify(text, level === "error" ? "error" : "warning");
          },
          ui,
          onEvent,
        });
        return { agent, models: models.getAvailable() };
      },
      list: (cwd) =>
        new SessionStore().list(cwd).map(({ id, cwd: folder, name, firstMessage, modified }) => ({
          sessionId: id,
          cwd: folder,
          title: name ?? firstMessage,
          updatedAt: modified.toISOString(),
        })),
    },
    ndJsonStream(output, input),
  );
  await stdout.flushed();
}
