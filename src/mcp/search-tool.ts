import type { DaemonPaths } from "../daemon/index.ts";
import { type Hit, SearchRequest, search } from "../search/index.ts";
import type { ServedTool } from "./protocol.ts";

/** What a model has use for of everything that can be asked: each field costs it context. */
const { query, agent, project, file, since, until, limit, ...others } = SearchRequest.properties;
const PARAMETERS = {
  type: "object",
  properties: { query, agent, project, file, since, until, in: others.in, limit },
  required: ["query"],
  additionalProperties: false,
};

/** Looks up what agents said and did, for agents. */
export function searchTool(paths: DaemonPaths): ServedTool {
  return {
    name: "search",
    description:
      "Search what coding agents said and did in earlier sessions on this machine. Gives the best hit of each session; show <session> tells more.",
    parameters: PARAMETERS,
    run: async (params) => {
      const { answer, index } = await search(paths, { ...params } as SearchRequest);
      const lines = answer.hits.map(lineOf);
      if (lines.length === 0) lines.push("Nothing was found.");
      if (answer.by === "any word") lines.unshift("Not all of the words were found together.");
      if (!index.isComplete) lines.push("The index is still being made; there may be more.");
      return lines.join("\n");
    },
  };
}

function lineOf({ agent, session, project, at, role, tool, snippet }: Hit): string {
  const what = tool === undefined ? role : `${role} ${tool}`;
  const where = project === undefined ? "" : ` ${project}`;
  return `${session} ${agent}${where} ${at?.slice(0, 16) ?? ""} ${what}: ${snippet.text}`;
}
