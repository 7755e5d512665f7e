import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import {
  type BashOperations,
  type BashToolOptions,
  type BuiltinTool,
  createBashTool,
  createLocalBashOperations,
} from "../../../tools/index.ts";

interface ShellConfig {
  shell: string;
  args: string[];
}

/** The shell that commands run in. Throws if the one that was asked for is not there. */
export function getShellConfig(path?: string): ShellConfig {
  if (path !== undefined && !existsSync(path)) throw new Error(`There is no shell at ${path}.`);
  const shell = path ?? (existsSync("/bin/bash") ? "/bin/bash" : (found("bash") ?? "sh"));
  return { shell, args: ["-c"] };
}

const POWERSHELL_ARGS = ["-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-Command"];

/** PowerShell, where it is installed. Throws if it is not. */
export function getPowerShellConfig(): ShellConfig {
  const shell = found("pwsh") ?? found("powershell") ?? found("powershell.exe");
  if (shell === undefined) throw new Error("PowerShell is not installed: there is no pwsh.");
  return { shell, args: [...POWERSHELL_ARGS] };
}

/** Runs what it is given in PowerShell. */
export function createLocalPowerShellOperations(): BashOperations {
  const local = createLocalBashOperations();
  return {
    exec: (command, cwd, options) => {
      const { shell, args } = getPowerShellConfig();
      const quoted = [shell, ...args, command].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
      return local.exec(quoted.join(" "), cwd, options);
    },
  };
}

/** The bash tool's sibling for PowerShell. */
export function createPowerShellTool(cwd: string, options: BashToolOptions = {}) {
  const operations = options.operations ?? createLocalPowerShellOperations();
  const tool: Omit<BuiltinTool, "name"> = createBashTool(cwd, { ...options, operations });
  return {
    ...tool,
    name: "powershell",
    label: "powershell",
    description: tool.description.replaceAll(/\bbash\b/gi, "PowerShell"),
  };
}

export function isPowerShellToolResult(event: { readonly toolName: string }): boolean {
  return event.toolName === "powershell";
}

function found(program: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}
