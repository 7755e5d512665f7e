import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ExtensionAPI, Type, truncateTail } from "agentseam";

/**
 * Tools that are known only when the agent runs. At the start of a session the scripts of the
 * project's package.json become the tool `npm_script`; `/add-tool <name> <program> [arguments]`
 * adds a tool for one program. The model can call both from its next answer on.
 *
 * Shows: `pi.registerTool` after loading, in `session_start` and in a command.
 *
 * @example
 * seam run -e extensions/dynamic-tools.ts --mode rpc
 * {"type":"prompt","message":"/add-tool disk_usage du -sh ."}
 */
export default function dynamicTools(pi: ExtensionAPI) {
  const run = async (program: string, args: string[], cwd: string, signal?: AbortSignal) => {
    const { stdout, stderr, code } = await pi.exec(program, args, { cwd, signal });
    const { content } = truncateTail(`${stdout}${stderr}`.trimEnd());
    return {
      content: [{ type: "text" as const, text: content === "" ? "No output." : content }],
      details: { program, args, code },
      isError: code !== 0,
    };
  };

  pi.on("session_start", (_event, { cwd }) => {
    const scripts = scriptsOf(join(cwd, "package.json"));
    if (scripts.length === 0) return;
    pi.registerTool({
      name: "npm_script",
      label: "Run an npm script",
      description: "Runs one of the scripts of this project's package.json",
      parameters: Type.Object({ script: Type.Union(scripts.map((name) => Type.Literal(name))) }),
      execute: (_id, { script }, signal) => run("npm", ["run", "--silent", script], cwd, signal),
    });
  });

  pi.registerCommand("add-tool", {
    description: "Give the model a tool that runs one program: /add-tool <name> <program> …",
    handler: (line, ctx) => {
      const [name = "", program, ...args] = line.split(/\s+/);
      if (!/^[a-z][a-z0-9_]*$/.test(name) || program === undefined) {
        return ctx.ui.notify("Usage: /add-tool <name> <program> [arguments]", "warning");
      }
      if (pi.getAllTools().some((tool) => tool.name === name)) {
        return ctx.ui.notify(`There is a tool ${name} already.`, "warning");
      }
      const { cwd } = ctx;
      pi.registerTool({
        name,
        description: `Runs \`${[program, ...args].join(" ")}\``,
        parameters: Type.Object({}),
        execute: (_id, _params, signal) => run(program, args, cwd, signal),
      });
      ctx.ui.notify(`The model can use ${name} now.`);
    },
  });
}

function scriptsOf(file: string): string[] {
  try {
    const { scripts } = JSON.parse(readFileSync(file, "utf8")) as { scripts?: object };
    return Object.keys(scripts ?? {});
  } catch {
    // No package.json, or none that can be read: no tool.
    return [];
  }
}
