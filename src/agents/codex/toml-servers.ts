import { isDeepStrictEqual } from "node:util";
import { parse, stringify } from "smol-toml";
import { messageOf } from "../../errors/index.ts";
import { dig } from "../install/json-value.ts";
import { NoPlace } from "../install/merge.ts";
import { isSeamsServer, SERVER, type ServerFormat } from "../install/server-file.ts";

const TABLE = "mcp_servers";
const HEADER = new RegExp(`^[ \\t]*\\[${TABLE}\\.${SERVER}[.\\]]`);

/** `[mcp_servers.seam]`: a table of its own at the end, so that no other line is touched. */
export const TOML_SERVERS: ServerFormat = {
  put(text, server) {
    const known = find(text);
    if (known !== undefined && !isSeamsServer(known)) {
      throw new NoPlace(`it has another MCP server that is called "${SERVER}"`);
    }
    if (isDeepStrictEqual(known, server)) return text;
    const rest = known === undefined ? text : without(text);
    const eol = rest.includes("\r\n") ? "\r\n" : "\n";
    const gap = rest === "" ? "" : rest.endsWith("\n") ? eol : eol + eol;
    const table = stringify({ [TABLE]: { [SERVER]: server } })
      .trim()
      .replaceAll("\n", eol);
    const after = `${rest}${gap}${table}${eol}`;
    if (!isDeepStrictEqual(find(after), server)) {
      throw new NoPlace(`"${TABLE}" cannot be added to`);
    }
    return after;
  },
  take(text, before) {
    if (!isSeamsServer(find(text))) return text;
    const rest = without(text);
    const wasNoFile = before !== undefined && before.text === undefined;
    return wasNoFile && rest.trim() === "" ? undefined : rest;
  },
  find,
};

function find(text: string): unknown {
  try {
    const server = dig(parse(text), TABLE, SERVER);
    // The parser's objects have no prototype.
    return server === undefined ? undefined : JSON.parse(JSON.stringify(server));
  } catch (thrown) {
    throw new NoPlace(messageOf(thrown).split("\n")[0] ?? "it is no TOML");
  }
}

/** The text without the server's tables, and without the empty line before them. */
function without(text: string): string {
  const lines = text.split(/(?<=\n)/);
  const kept: string[] = [];
  let isOurs = false;
  // Comments and empty lines may belong to what comes next.
  let unclear: string[] = [];
  for (const line of lines) {
    if (/^[ \t]*\[/.test(line)) {
      const wasOurs = isOurs;
      isOurs = HEADER.test(line);
      if (isOurs && !wasOurs && kept.at(-1)?.trim() === "") kept.pop();
      if (!isOurs || !wasOurs) kept.push(...unclear);
      unclear = [];
      if (!isOurs) kept.push(line);
    } else if (!isOurs) kept.push(line);
    else if (/^\s*(#|$)/.test(line)) unclear.push(line);
    else unclear = [];
  }
  kept.push(...unclear);
  const after = kept.join("");
  if (find(after) !== undefined)
    throw new NoPlace(`"${TABLE}.${SERVER}" is not a table of its own`);
  return after;
}
