import { isDeepStrictEqual } from "node:util";
import { getNodeValue } from "jsonc-parser";
import { mistakeInWords } from "./config-file.ts";
import { insertLast, insertRoot, removeItem, replaceValue } from "./json-edit.ts";
import { entriesOf, type JsonText, parseJsonText, valueAt } from "./json-text.ts";
import { NoPlace } from "./merge.ts";
import { isSeamsServer, SERVER, type ServerFormat } from "./server-file.ts";

/** `{ "<key>": { "seam": … } }`, as nearly all agents have it. */
export function jsonServers(key: string): ServerFormat {
  return {
    put(text, server) {
      const { root } = parsed(text);
      if (!root) return insertRoot(text, { [key]: { [SERVER]: server } });
      if (root.type !== "object") throw new NoPlace("it is not an object");
      const servers = valueAt(root, key);
      if (!servers) return insertLast(text, root, { [SERVER]: server }, key);
      if (servers.type !== "object") throw new NoPlace(`"${key}" is not an object`);
      const known = valueAt(servers, SERVER);
      if (!known) return insertLast(text, servers, server, SERVER);
      const now: unknown = JSON.parse(JSON.stringify(getNodeValue(known)));
      if (!isSeamsServer(now)) {
        throw new NoPlace(`it has another MCP server that is called "${SERVER}"`);
      }
      return isDeepStrictEqual(now, server) ? text : replaceValue(text, known, server);
    },
    take(text, before) {
      const { root } = parsed(text);
      const servers = valueAt(root, key);
      const property = valueAt(servers, SERVER)?.parent;
      const list = servers?.parent;
      if (!root || !servers || !list || !property) return text;
      if (!isSeamsServer(getNodeValue(valueAt(servers, SERVER) ?? servers))) return text;
      const isLast = servers.children?.length === 1;
      if (!isLast || hasKey(before?.text, key)) return removeItem(text, servers, property);
      const rest = removeItem(text, root, list);
      const wasNoFile = before !== undefined && before.text === undefined;
      return wasNoFile && /^\s*\{\s*\}\s*$/.test(rest) ? undefined : rest;
    },
    find(text) {
      const server = valueAt(valueAt(parsed(text).root, key), SERVER);
      return server && getNodeValue(server);
    },
  };
}

function hasKey(text: string | undefined, key: string): boolean {
  return text !== undefined && entriesOf(parsed(text).root).some(([one]) => one === key);
}

function parsed(text: string): JsonText {
  const json = parseJsonText(text);
  if ("what" in json) throw new NoPlace(mistakeInWords(json));
  return json;
}
