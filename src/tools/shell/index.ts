export { pathFits } from "./path-fits.ts";
export { type ReadShellOptions, readShell } from "./read-shell.ts";
export {
  type InlineCode,
  SHELL_UNKNOWN,
  type ShellCommand,
  type ShellReading,
  type ShellWord,
  type ShellWrite,
} from "./reading.ts";
export { shellCommandIn } from "./shell-command-in.ts";
