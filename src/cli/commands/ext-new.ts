import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { SeamError, usageError } from "../../errors/index.ts";
import { keepEditorTypes } from "../../extensions/index.ts";
import { leadsOutside } from "../../files/index.ts";
import { PROJECT_DIR, projectRoot, seamHome } from "../../settings/index.ts";
import { printLine } from "../print.ts";
import { shownPath } from "../shown-path.ts";

interface Options {
  user?: boolean;
  force?: boolean;
}

export function addExtNew(ext: Command): void {
  ext
    .command("new")
    .description("write a new extension and its test")
    .argument("<name>", "letters, digits and dashes")
    .option("--user", "for all your projects, in the Seam folder of your home")
    .option("--force", "write over files that are there")
    .addHelpText(
      "after",
      "\nExamples:\n  seam ext new no-force-push\n  seam ext new house-rules --user",
    )
    .action(create);
}

function create(name: string, { user, force }: Options): void {
  if (!/^[a-zA-Z0-9][a-zA-Z0-9-]*$/.test(name)) {
    throw usageError(
      `"${name}" is not a name for an extension.`,
      "Use letters, digits and hyphens: seam ext new my-gate",
    );
  }
  const base = user ? seamHome() : join(projectRoot(process.cwd()), PROJECT_DIR);
  const dir = join(base, "extensions");
  const file = join(dir, `${name}.ts`);
  const test = join(dir, `${name}.test.mjs`);
  const config = join(dir, "tsconfig.json");
  if (!user) refuseOutside(config);
  for (const path of [file, test]) {
    if (!user) refuseOutside(path);
    if (existsSync(path) && !force)
      throw new SeamError("SEAM_FILE_EXISTS", { path: shownPath(path) });
  }
  mkdirSync(dir, { recursive: true });
  writeFileSync(file, extensionText(name));
  writeFileSync(test, testText(name));
  keepEditorTypes(dir);
  printLine(`Wrote ${shownPath(file)} and ${shownPath(test)}.`);
  printLine("Next:");
  printLine(`  seam ext check ${shownPath(file)}`);
  printLine(`  seam ext test ${shownPath(test)}`);
  if (!user) printLine("  seam trust              so that it runs in this project");
}

/** The link was made by whoever wrote the project. */
function refuseOutside(path: string): void {
  const target = leadsOutside(path, projectRoot(process.cwd()));
  if (target !== undefined) throw new SeamError("SEAM_LINK_OUTSIDE", { path, target });
}

function extensionText(name: string): string {
  return `import type { ExtensionAPI } from "agentseam";

/** ${name}: stops force pushes. Change it to what you need. */
export default function (pi: ExtensionAPI) {
  pi.on("tool_call", (event) => {
    if (event.toolName !== "bash") return;
    const command = String(event.input.command ?? "");
    if (/\\bgit\\s+push\\b.*(--force\\b|\\s-f\\b)/.test(command)) {
      return { block: true, reason: "Force pushes are not allowed here. Push normally." };
    }
  });
}
`;
}

function testText(name: string): string {
  return `import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestHost } from "agentseam/testing";

const extensions = [new URL("./${name}.ts", import.meta.url).pathname];

test("a force push is blocked", async () => {
  const host = await createTestHost({ extensions });
  const decision = await host.toolCall("bash", { command: "git push --force" });
  assert.equal(decision.blocked, true);
  await host.dispose();
});

test("a normal push goes through", async () => {
  const host = await createTestHost({ extensions });
  const decision = await host.toolCall("bash", { command: "git push" });
  assert.equal(decision.blocked, false);
  await host.dispose();
});
`;
}
