import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { isRunning } from "../../files/index.ts";
import { returns, until } from "../test-kit/index.ts";
import { RpcClient } from "../test-kit/rpc-client.ts";

const folder = mkdtempSync(join(tmpdir(), "seam-rpc-bash-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(): RpcClient {
  const client = new RpcClient([], folder, folder);
  onTestFinished(() => void client.process.kill("SIGKILL"));
  return client;
}

/** A command that runs for ever; its process once it does. */
async function endless(client: RpcClient, file: string) {
  const answer = client.ask({ type: "bash", command: `echo $$ > ${file}; exec sleep 600` });
  answer.catch(() => {});
  const text = () =>
    existsSync(join(folder, file)) ? readFileSync(join(folder, file), "utf8") : "";
  await until("the command runs", () => text().endsWith("\n"));
  return { answer, pid: Number(text()) };
}

describe("a command of the client that does not end", () => {
  it.each(["abort_bash", "abort"])("%s ends it, and its answer says so", async (type) => {
    const client = start();
    const { answer, pid } = await endless(client, `${type}.pid`);
    expect(await client.ask({ type })).toMatchObject({ success: true });
    expect(isRunning(pid)).toBe(false);
    expect(await answer).toMatchObject({ success: true, data: { cancelled: true } });
  });

  it("does not outlive the end of the input, nor hold it up", async () => {
    const client = start();
    const { pid } = await endless(client, "end.pid");
    expect(await returns("the end", client.end())).toBe(0);
    expect(isRunning(pid)).toBe(false);
  });
});
