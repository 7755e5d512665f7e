import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TOML_SERVERS } from "../codex/toml-servers.ts";
import { jsonServers } from "./json-servers.ts";
import { NoPlace } from "./merge.ts";
import { isSeamsServer } from "./server-file.ts";

const JSON_SERVERS = jsonServers("mcpServers");
const SERVER = { command: "sh", args: ["-c", "exec agentseam-mcp"] };
const OLDER = { command: "/old/agentseam-mcp", args: [] };

describe("Seam's server in JSON", () => {
  const others = fc.dictionary(fc.string(), fc.jsonValue());
  const file = fc.record({ mcpServers: others, other: fc.jsonValue() }, { requiredKeys: [] });
  const indent = fc.constantFrom(undefined, 2, 4, "\t");

  it("comes and goes without a trace, whatever else is in the file", () => {
    fc.assert(
      fc.property(file, indent, (value, space) => {
        fc.pre(!Object.hasOwn(value.mcpServers ?? {}, "seam"));
        const before = JSON.stringify(value, null, space);
        const added = JSON_SERVERS.put(before, SERVER);
        expect(JSON.parse(added).mcpServers.seam).toEqual(SERVER);
        expect(JSON_SERVERS.put(added, SERVER)).toBe(added);
        const after = JSON_SERVERS.take(added, { text: before });
        expect(JSON.parse(after ?? "null")).toEqual(JSON.parse(before));
      }),
    );
  });

  it("keeps comments, and replaces an older entry where it stands", () => {
    const text = `{
  // mine
  "mcpServers": {
    "a": { "command": "a" }, // stays
    "seam": ${JSON.stringify(OLDER)}
  }
}
`;
    const after = JSON_SERVERS.put(text, SERVER);
    expect(after).toContain('"a": { "command": "a" }, // stays');
    expect(JSON_SERVERS.find(after)).toEqual(SERVER);
    expect(JSON_SERVERS.take(after, undefined)).not.toContain("seam");
  });

  it("leaves a file that was not there, and one that is somebody else's", () => {
    const made = JSON_SERVERS.put("", SERVER);
    expect(JSON_SERVERS.take(made, { text: undefined })).toBeUndefined();
    const theirs = '{"mcpServers":{"seam":{"command":"other"}}}';
    expect(() => JSON_SERVERS.put(theirs, SERVER)).toThrow("another MCP server");
    expect(JSON_SERVERS.take(theirs, undefined)).toBe(theirs);
  });

  it.each(["[]", '{"mcpServers":[]}', '{"a":'])("is not put into %s", (text) => {
    expect(() => JSON_SERVERS.put(text, SERVER)).toThrow(NoPlace);
  });
});

describe("Seam's server in TOML", () => {
  const FILES = [
    "",
    "model = 'x'",
    "model = 'x'\n",
    "# mine\n[a]\nb = 1\n\n# of c\n[c]\nd = [\n  1,\n]\n",
    "[mcp_servers.other]\ncommand = 'x'\n\n\n",
    "model = 'x'\r\n[a]\r\nb = 1\r\n",
  ];

  it.each(FILES)("comes and goes without a trace: %j", (before) => {
    const added = TOML_SERVERS.put(before, SERVER);
    expect(added.startsWith(before)).toBe(true);
    expect(TOML_SERVERS.find(added)).toEqual(SERVER);
    expect(TOML_SERVERS.put(added, SERVER)).toBe(added);
    const after = TOML_SERVERS.take(added, { text: before });
    expect(after?.trimEnd()).toBe(before.trimEnd());
  });

  it("goes with what the user added to it, and leaves what others wrote behind it", () => {
    const text = `${TOML_SERVERS.put("a = 1\n", OLDER)}startup_timeout_sec = 20

[mcp_servers.seam.tools.greet]
approval_mode = "approve"

# of b
[b]
c = 1
`;
    expect(TOML_SERVERS.take(text, undefined)).toBe("a = 1\n\n# of b\n[b]\nc = 1\n");
    expect(isSeamsServer(TOML_SERVERS.find(TOML_SERVERS.put(text, SERVER)))).toBe(true);
  });

  it.each([
    "mcp_servers = { a = { command = 'x' } }\n",
    "[mcp_servers.seam]\ncommand = 'other'\n",
    "a = \n",
  ])("is not put into %j", (text) => {
    expect(() => TOML_SERVERS.put(text, SERVER)).toThrow(NoPlace);
  });
});
