import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { RPC_COMMANDS } from "../../src/host/modes/rpc-commands.ts";
import { PI_ROOT, requirePeers } from "./pi.ts";

it("every command that Pi's RPC declares is one of Seam's", () => {
  requirePeers();
  const text = readFileSync(`${PI_ROOT}/dist/modes/rpc/rpc-types.d.ts`, "utf8");
  const declared = text.slice(text.indexOf("type RpcCommand ="), text.indexOf("RpcSlashCommand"));
  const types = [...declared.matchAll(/type: "(\w+)"/g)].map(([, type]) => type ?? "");
  expect(types.length).toBeGreaterThan(25);
  expect(types.filter((type) => !Object.hasOwn(RPC_COMMANDS, type))).toEqual([]);
});
