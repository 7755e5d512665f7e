import { spawn } from "node:child_process";
import type { Command } from "commander";
import { askService, type DaemonPaths, daemonPaths } from "../../daemon/index.ts";
import { SeamError, usageError } from "../../errors/index.ts";
import { isRecord } from "../../values/index.ts";
import { OPEN_ROUTE, type OpenWish } from "../../view/index.ts";
import { printJson, printLine } from "../print.ts";

interface Options {
  port?: string;
  prefix?: string;
  json?: boolean;
}

export function addView(program: Command): void {
  program
    .command("view")
    .option("--port <number>", "the port of the page on this machine (default: the one it had)")
    .option("--prefix <path>", "the path the page is under, for a proxy: /seam")
    .option("--json", "print JSON: the address; open nothing")
    .addHelpText(
      "after",
      `
Every session of every agent, by what it wants from you; questions that wait;
the record, with rewind; what is loaded. Served on this machine alone: each
address opens it once, in one browser. Without a browser, and over ssh, the
address is printed.

Over ssh: ssh -L 4600:127.0.0.1:4600 box, there seam view --port 4600, and the
address in the browser here.

Examples:
  seam view
  seam view --port 4600
  seam view --json`,
    )
    .action(view);
}

async function view({ port, prefix, json }: Options): Promise<void> {
  const url = await addressOfPage(daemonPaths(), {
    ...(port !== undefined && { port: portOf(port) }),
    ...(prefix !== undefined && { prefix: prefixOf(prefix) }),
  });
  if (json) return printJson({ url });
  if (hasBrowser() && (await opened(url))) {
    printLine("The page is open in your browser.");
    return;
  }
  printLine("Open this address in a browser; it works once, for five minutes:");
  printLine(`  ${url}`);
}

/** An address that opens the page once. Starts the daemon if there is none. */
export async function addressOfPage(paths: DaemonPaths, wish: OpenWish = {}): Promise<string> {
  const answer = await askService(paths, "POST", OPEN_ROUTE, wish);
  if (isRecord(answer) && typeof answer.url === "string") return answer.url;
  throw new SeamError("SEAM_DAEMON_REFUSED", { detail: "it did not say where the page is" });
}

function portOf(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw usageError(`--port ${text} is not a port.`, "It is a number from 1 to 65535.");
}

function prefixOf(text: string): string {
  const prefix = text.replace(/\/+$/, "");
  if (prefix === "" || /^(\/[A-Za-z0-9._~-]+)+$/.test(prefix)) return prefix;
  throw usageError(
    `--prefix ${text} is not the beginning of a path.`,
    "It begins with a slash and has letters, digits and . _ ~ - in it: /seam",
  );
}

/** Whether a browser that is started here is one that the user sees. */
function hasBrowser({ env, platform, stdout } = process): boolean {
  if (!stdout.isTTY || env.SSH_CONNECTION || env.SSH_TTY) return false;
  if (platform === "darwin") return true;
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

function opened(url: string): Promise<boolean> {
  const command = process.platform === "darwin" ? "open" : "xdg-open";
  return new Promise((resolve) => {
    const child = spawn(command, [url], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
    // Some stay for as long as the browser does.
    setTimeout(() => resolve(true), 3_000).unref();
    child.unref();
  });
}
