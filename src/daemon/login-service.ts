import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, sep } from "node:path";
import { inWords, SeamError } from "../errors/index.ts";
import { replaceFile } from "../files/index.ts";
import { builtFile, packageRoot } from "../settings/index.ts";

/** How the system starts the daemon when the user logs in. */
export interface LoginService {
  readonly kind: "systemd" | "launchd";
  /** What the system reads. */
  readonly file: string;
  readonly text: string;
  /** Commands that make the system read it, and start what it says. */
  readonly start: readonly (readonly string[])[];
  /** Commands that end it and make the system forget it. */
  readonly stop: readonly (readonly string[])[];
  /** Commands for when the file is gone. */
  readonly forget: readonly (readonly string[])[];
}

interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly uid: number;
  /** The program and its arguments. */
  readonly command: readonly string[];
}

const UNIT = "agentseam.service";
const LABEL = "dev.agentseam.daemon";
const MARK = "agentseam: written by seam daemon install";
const COMMAND_MS = 30_000;

function surroundings(): Surroundings {
  return {
    platform: process.platform,
    home: homedir(),
    env: process.env,
    uid: process.getuid?.() ?? 0,
    command: [process.execPath, builtFile("bin/seam.js"), "daemon", "serve", "--stay"],
  };
}

/** Undefined where Seam knows no way to start something at login. */
export function loginService(around: Surroundings = surroundings()): LoginService | undefined {
  if (around.platform === "linux") return systemdUnit(around);
  if (around.platform === "darwin") return launchdAgent(around);
  return undefined;
}

function systemdUnit({ home, env, command }: Surroundings): LoginService {
  const folder = join(env.XDG_CONFIG_HOME || join(home, ".config"), "systemd", "user");
  const control = (...words: string[]) => ["systemctl", "--user", ...words];
  const text = `# ${MARK}
[Unit]
Description=Seam: answers the hooks of coding agents and watches those without hooks

[Service]
ExecStart=${command.map((word) => quoted(word).replaceAll("$", "$$$$")).join(" ")}
${kept(env)
  .map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}\n`)
  .join("")}Restart=always
RestartSec=2
SuccessExitStatus=KILL

[Install]
WantedBy=default.target
`;
  return {
    kind: "systemd",
    file: join(folder, UNIT),
    text,
    start: [control("daemon-reload"), control("enable", UNIT), control("restart", UNIT)],
    stop: [control("disable", "--now", UNIT)],
    forget: [control("daemon-reload")],
  };
}

/** A text in systemd's own quotes; a per cent sign would stand for something else. */
function quoted(word: string): string {
  const escaped = word.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `"${escaped.replaceAll("%", "%%")}"`;
}

function launchdAgent({ home, env, uid, command }: Surroundings): LoginService {
  const file = join(home, "Library", "LaunchAgents", `${LABEL}.plist`);
  const strings = command.map((word) => `    <string>${inXml(word)}</string>\n`).join("");
  const variables = kept(env)
    .map(([name, value]) => `    <key>${name}</key>\n    <string>${inXml(value)}</string>\n`)
    .join("");
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${MARK} -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${strings}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <true/>
</dict>
</plist>
`;
  return {
    kind: "launchd",
    file,
    text,
    start: [["launchctl", "bootstrap", `gui/${uid}`, file]],
    stop: [["launchctl", "bootout", `gui/${uid}/${LABEL}`]],
    forget: [],
  };
}

function inXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** What is started at login has none of the user's own environment: git has to be found, at least. */
function kept(env: NodeJS.ProcessEnv): [string, string][] {
  return ["PATH", "SEAM_HOME"].flatMap((name) => {
    const value = env[name];
    return value ? [[name, value] satisfies [string, string]] : [];
  });
}

/** Lets the system start the daemon at every login, and now. `makeRoom` ends the one that runs. */
export async function installService(
  service: LoginService | undefined,
  makeRoom: () => Promise<unknown>,
): Promise<LoginService> {
  if (!service) throw failed(`There is no way known to do this on ${process.platform}.`);
  if (packageRoot().includes(`${sep}_npx${sep}`)) {
    throw failed("Seam runs from npx's cache, which is emptied now and then.");
  }
  const before = textOf(service);
  if (before !== undefined && !before.includes(MARK)) {
    throw failed(`${service.file} is there already and is not Seam's.`);
  }
  const made = mkdirSync(dirname(service.file), { recursive: true });
  replaceFile(service.file, service.text);
  try {
    // launchd takes no second one of the same name.
    if (service.kind === "launchd") await attempt(service.stop);
    await makeRoom();
    await run(service.start);
  } catch (error) {
    if (before !== undefined) replaceFile(service.file, before);
    else rmSync(service.file, { force: true });
    if (made !== undefined) removeEmpty(dirname(service.file), made);
    throw failed(inWords(error));
  }
  return service;
}

/** Removes the empty folders that Seam made, up to the first one that is in use. */
function removeEmpty(folder: string, first: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody else put something there.
    return;
  }
  if (folder !== first) removeEmpty(dirname(folder), first);
}

/** Whether the system starts the daemon, because the user asked Seam for it. */
export function isServiceInstalled(service = loginService()): boolean {
  return service !== undefined && textOf(service)?.includes(MARK) === true;
}

/** False if it was not installed. */
export async function uninstallService(service = loginService()): Promise<boolean> {
  if (!service || !isServiceInstalled(service)) return false;
  await attempt(service.stop);
  rmSync(service.file, { force: true });
  await attempt(service.forget);
  return true;
}

function textOf({ file }: LoginService): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** What is not there cannot be ended. */
async function attempt(commands: LoginService["stop"]): Promise<void> {
  await run(commands).catch(() => {});
}

async function run(commands: LoginService["start"]): Promise<void> {
  for (const [program = "", ...args] of commands) {
    await new Promise<void>((resolve, reject) => {
      execFile(program, args, { timeout: COMMAND_MS }, (error, _, stderr) => {
        if (!error) return resolve();
        const said = stderr.trim() || error.message;
        reject(new Error(`${[program, ...args].join(" ")}: ${said}`));
      });
    });
  }
}

function failed(detail: string): SeamError {
  return new SeamError("SEAM_DAEMON_SERVICE", { detail });
}
