/** A page of the built Seam without a browser: what it asks, and the stream it reads. */
import { spawnSync } from "node:child_process";
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { DIST } from "../built.ts";
import type { Place } from "../hooks/daemon.ts";

const SEAM = fileURLToPath(new URL("bin/seam.js", DIST));

export interface BenchPage {
  readonly url: URL;
  readonly cookie: string;
  post(path: string, body: unknown): Promise<void>;
  /** Calls back with each event; returns what ends it. */
  stream(query: string, hear: (event: StreamedEvent) => void): Promise<() => void>;
}

export interface StreamedEvent {
  readonly type: string;
  readonly question?: { readonly id: string };
}

export function addressOf(place: Place): URL {
  const options = { cwd: place.project, env: place.env, encoding: "utf8" } as const;
  const { stdout, stderr } = spawnSync(process.execPath, [SEAM, "view", "--json"], options);
  try {
    const { url }: { url: string } = JSON.parse(stdout);
    return new URL(url);
  } catch {
    throw new Error(`seam view: ${stdout} ${stderr}`);
  }
}

export async function openPage(place: Place): Promise<BenchPage> {
  const url = addressOf(place);
  const headers = { "content-type": "application/json", origin: url.origin };
  const code = url.hash.slice("#code=".length);
  const body = JSON.stringify({ code });
  const entered = await fetch(new URL("api/enter", url.origin), { method: "POST", headers, body });
  const [cookie = ""] = (entered.headers.get("set-cookie") ?? "").split(";");
  return {
    url,
    cookie,
    async post(path, wish) {
      const answer = await fetch(new URL(path, url.origin), {
        method: "POST",
        headers: { ...headers, cookie },
        body: JSON.stringify(wish),
      });
      if (!answer.ok) throw new Error(await answer.text());
      await answer.arrayBuffer();
    },
    stream: (query, hear) => listen(url, cookie, query, hear),
  };
}

function listen(
  { hostname, port }: URL,
  cookie: string,
  query: string,
  hear: (event: StreamedEvent) => void,
): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: hostname, port, path: `/api/stream${query}`, agent: false, headers: { cookie } },
      (response) => {
        let rest = "";
        response.setEncoding("utf8");
        response.on("error", () => {});
        response.on("data", (part: string) => {
          rest += part;
          for (let end = rest.indexOf("\n\n"); end !== -1; end = rest.indexOf("\n\n")) {
            const data = /^data: (.*)$/m.exec(rest.slice(0, end))?.[1];
            rest = rest.slice(end + 2);
            if (data !== undefined) hear(JSON.parse(data));
          }
        });
        resolve(() => void sent.destroy());
      },
    );
    sent.on("error", reject);
    sent.end();
  });
}
