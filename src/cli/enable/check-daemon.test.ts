import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { daemonPaths } from "../../daemon/index.ts";
import { daemonFindings } from "./check-daemon.ts";

it("doctor tells why a daemon cannot run the extensions of a session", async () => {
  const home = mkdtempSync(join(tmpdir(), "seam-"));
  const paths = daemonPaths(home);
  mkdirSync(paths.run, { recursive: true });
  const troubles = ["Seam cannot run the extensions of claude-code s1: there is no thread."];
  const server = createServer((_, response) => response.end(JSON.stringify({ troubles })));
  await new Promise<void>((listening) => server.listen(paths.socket, listening));
  onTestFinished(() => {
    server.close();
    rmSync(home, { recursive: true });
  });
  expect(await daemonFindings(home)).toContainEqual({
    level: "error",
    code: "extensions-not-run",
    text: troubles[0],
    next: expect.stringContaining("seam daemon stop"),
  });
});
