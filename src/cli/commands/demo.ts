import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import type { ToolCallDecision } from "../../dispatch/index.ts";
import { packageRoot } from "../../settings/index.ts";
import { createTestHost, type TestHost } from "../../testing/index.ts";
import { paint, printJson, printLine } from "../print.ts";
import { shownPath } from "../shown-path.ts";

const CALLS: readonly { tool: string; input: Record<string, unknown> }[] = [
  { tool: "bash", input: { command: "npm test" } },
  { tool: "bash", input: { command: "rm -rf build" } },
  { tool: "write", input: { path: ".env", content: "KEY=1" } },
  { tool: "write", input: { path: "src/app.ts", content: "export {};" } },
];

export function addDemo(program: Command): void {
  program
    .command("demo")
    .description("load the example extensions, send them tool calls, show who decided what")
    .option("--json", "print JSON")
    .addHelpText("after", "\nNothing is run and no file is changed.\n\nExamples:\n  seam demo")
    .action(demo);
}

async function demo({ json }: { json?: boolean }): Promise<void> {
  const examples = join(packageRoot(), "extensions");
  const paths = ["permission-gate.ts", "protected-paths.ts"].map((name) => join(examples, name));
  const host = await createTestHost({ extensions: paths.filter((path) => existsSync(path)) });
  const decided: { call: (typeof CALLS)[number]; decision: ToolCallDecision }[] = [];
  for (const call of CALLS) {
    decided.push({ call, decision: await host.toolCall(call.tool, call.input) });
  }
  if (json) printJson(decided.map(({ call, decision }) => ({ ...call, ...decision })));
  else print(host, decided);
  await host.dispose();
}

function print(
  host: TestHost,
  decided: readonly { call: (typeof CALLS)[number]; decision: ToolCallDecision }[],
): void {
  printLine("Loaded:");
  for (const { name, path, events, loadMs } of host.extensions.extensions) {
    const listens = [...events].join(", ");
    printLine(`  ${name}  listens for ${listens}  ${loadMs.toFixed(0)} ms  ${shownPath(path)}`);
  }
  printLine();
  printLine("An agent wants to:");
  for (const { call, decision } of decided) {
    const what = call.input.command ?? call.input.path;
    const { blocked, by, reason, trace = [] } = decision;
    const verdict = blocked ? paint("red", "blocked") : paint("green", "allowed");
    printLine(`  ${call.tool} ${what}`);
    printLine(`    ${verdict}${blocked ? ` by ${by}: ${reason}` : ""}`);
    for (const step of trace) {
      const said = step.said === "nothing" ? "no objection" : step.said;
      printLine(paint("dim", `    ${step.by}: ${said}, ${(step.ms * 1000).toFixed(0)} µs`));
    }
  }
  printLine();
  printLine("Write your own:  seam ext new my-gate");
}
