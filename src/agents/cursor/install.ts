import { join } from "node:path";
import { FLAT } from "../install/handler-list.ts";
import { inPosixShell } from "../install/hook-command.ts";
import { hookFileInstaller } from "../install/hook-file.ts";
import { jsonServers } from "../install/json-servers.ts";
import { serverInstaller } from "../install/server-file.ts";
import { secondsFor } from "../install/timeouts.ts";
import { hooks } from "./hooks.ts";

export const installer = hookFileInstaller({
  title: "Cursor",
  hooks: hooks.mapping,
  files: (level, { home, project }) => [
    join(level === "user" ? home : project, ".cursor", "hooks.json"),
  ],
  top: { version: 1 },
  shape: FLAT,
  // It is not known which shell Cursor uses, or whether it uses one.
  entry: (_, command, canDecide) => ({
    type: "command",
    command: inPosixShell(command),
    timeout: secondsFor(canDecide),
  }),
  // This was not tried on the program, so no file counts as wrong.
  reads: { comments: true, trailingCommas: true, bom: true },
  examine: ({ level }) =>
    level === "project"
      ? [
          {
            level: "info",
            code: "folder-untrusted",
            text: "Cursor runs a project's hooks only in a workspace that you trust.",
            stops: { all: false, why: "if Cursor trusts this workspace" },
          },
        ]
      : [],
});

export const mcp = serverInstaller({
  file: (level, { home, project }) =>
    join(level === "user" ? home : project, ".cursor", "mcp.json"),
  format: jsonServers("mcpServers"),
  entry: ([command, ...args]) => ({ command, args }),
});
