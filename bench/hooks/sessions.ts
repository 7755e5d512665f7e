import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { atMost, type Case, interleave, medians, pairedRatio } from "../frame.ts";
import { end, newPlace, type Place, payload, startDaemon, timeHook } from "./daemon.ts";

const SESSIONS = 500;
/** About as many threads as the daemon keeps at most; the other sessions have no extension. */
const WITH_WORKERS = 20;

/** Whether it matters how many sessions the daemon knows. */
export async function* sessionCases(
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say(`${SESSIONS} sessions`);
  const [one, many] = [await newPlace(join(folder, "few")), await newPlace(join(folder, "many"))];
  const daemons = [await startDaemon(one), await startDaemon(many)];
  try {
    for (let n = 0; n < SESSIONS; n++) {
      const folderOf = n < WITH_WORKERS ? many.project : many.elsewhere;
      await tell(many, payload(many, `other-${n}`, "ls", folderOf));
    }
    const calls = [one, many].map((place) => payload(place, "mine", "ls -la"));
    const time = (place: Place, call = "") => timeHook(place, call);
    const series = await interleave(
      {
        one: async () => time(one, calls[0]),
        many: async () => time(many, calls[1]),
      },
      { rounds: 100, warmUps: 5 },
    );
    yield atMost({
      name: `a hook with ${SESSIONS} sessions known`,
      value: pairedRatio(series.many, series.one),
      bar: 1.1,
      unit: "times as long as with one",
      detail: medians({ [`${SESSIONS} sessions`]: series.many, one: series.one }, "ms"),
    });
  } finally {
    for (const daemon of daemons) await end(daemon);
  }
}

/** A hook straight to the daemon: what agents do is not measured here. */
function tell({ home }: Place, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        socketPath: join(home, "run/daemon.sock"),
        method: "POST",
        path: "/v1/hook?agent=claude-code&hook=PreToolUse",
        headers: {
          host: "seam",
          "x-seam-token": readFileSync(join(home, "run/token"), "utf8"),
        },
        agent: false,
      },
      (response) => {
        response.resume();
        if (response.statusCode === 200) response.once("end", resolve);
        else reject(new Error(`The daemon answered ${response.statusCode}.`));
      },
    );
    asked.once("error", reject);
    asked.end(body);
  });
}
