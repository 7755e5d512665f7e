import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { installService, loginService, uninstallService } from "./login-service.ts";

let base: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "seam-service-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

/** A program of the system that notes how it is called; the system itself is left alone. */
function standIn(name: string, script = ""): () => string[] {
  const bin = join(base, "bin");
  const calls = join(base, "calls");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\necho "$(basename "$0") $*" >>'${calls}'\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
  vi.stubEnv("PATH", `${bin}:${process.env.PATH}`);
  return () => (existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : []);
}

const on = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv = { PATH: "/usr/bin:/bin" }) =>
  loginService({
    platform,
    home: join(base, "home"),
    env,
    uid: 501,
    command: ["/opt/my node/node", '/x/50% "of" $HOME/seam.js', "daemon", "serve", "--stay"],
  });
const noRoom = async () => {};

describe("on Linux", () => {
  it("is a unit of the user's systemd, which starts it now and at every login", async () => {
    const calls = standIn("systemctl");
    const service = on("linux", { PATH: "/usr/bin:/bin", SEAM_HOME: "/my/seam", TOKEN: "secret" });
    const made: string[] = [];
    const { file } = await installService(service, async () => made.push(...calls()));
    expect(file).toBe(join(base, "home/.config/systemd/user/agentseam.service"));
    const text = readFileSync(file, "utf8");
    expect(text).toContain(
      'ExecStart="/opt/my node/node" "/x/50%% \\"of\\" $$HOME/seam.js" "daemon" "serve" "--stay"\n',
    );
    expect(text).toContain('Environment="PATH=/usr/bin:/bin"\nEnvironment="SEAM_HOME=/my/seam"\n');
    expect(text).not.toContain("secret");
    expect(made).toEqual([]);
    expect(calls()).toEqual([
      "systemctl --user daemon-reload",
      "systemctl --user enable agentseam.service",
      "systemctl --user restart agentseam.service",
    ]);
    expect(await uninstallService(service)).toBe(true);
    expect(calls().slice(3)).toEqual([
      "systemctl --user disable --now agentseam.service",
      "systemctl --user daemon-reload",
    ]);
    expect(existsSync(file)).toBe(false);
    expect(await uninstallService(service)).toBe(false);
  });

  it("leaves nothing behind where there is no systemd to ask", async () => {
    standIn("systemctl", "echo 'Failed to connect to bus' >&2; exit 1");
    const service = on("linux");
    await expect(installService(service, noRoom)).rejects.toMatchObject({
      code: "SEAM_DAEMON_SERVICE",
      message: expect.stringContaining("Failed to connect to bus"),
    });
    expect(existsSync(join(base, "home"))).toBe(false);
  });

  it("does not touch a unit of somebody else", async () => {
    const calls = standIn("systemctl");
    const service = on("linux");
    const file = service?.file ?? "";
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "[Service]\nExecStart=mine\n");
    await expect(installService(service, noRoom)).rejects.toMatchObject({
      code: "SEAM_DAEMON_SERVICE",
    });
    expect(await uninstallService(service)).toBe(false);
    expect(readFileSync(file, "utf8")).toContain("mine");
    expect(calls()).toEqual([]);
  });
});

it("on macOS it is an agent of launchd", async () => {
  const calls = standIn("launchctl");
  const service = on("darwin");
  const { file } = await installService(service, noRoom);
  expect(file).toBe(join(base, "home/Library/LaunchAgents/dev.agentseam.daemon.plist"));
  const text = readFileSync(file, "utf8");
  expect(text).toContain("<string>/opt/my node/node</string>");
  expect(text).toContain("<key>RunAtLoad</key>\n  <true/>");
  expect(calls()).toEqual([
    "launchctl bootout gui/501/dev.agentseam.daemon",
    `launchctl bootstrap gui/501 ${file}`,
  ]);
  expect(await uninstallService(service)).toBe(true);
  expect(existsSync(file)).toBe(false);
});

it("is known nowhere else", async () => {
  expect(on("win32")).toBeUndefined();
  await expect(installService(undefined, noRoom)).rejects.toMatchObject({
    code: "SEAM_DAEMON_SERVICE",
  });
});
