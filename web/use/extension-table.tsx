import type { ExtensionUse } from "../../src/view/api-history.ts";
import { clock } from "../data/clock.ts";
import { get } from "../data/http.ts";
import { useLoad } from "../data/load.ts";
import { count, duration, moment } from "../parts/format.ts";
import { Scrollable } from "../parts/scrollable.tsx";
import { Empty, Shown } from "../parts/states.tsx";

/** What each extension did, and what it took. */
export function ExtensionTable() {
  const loaded = useLoad("use", (signal) => get<ExtensionUse>("api/use", {}, signal));
  return (
    <section>
      <h2 class="day">Extensions</h2>
      <Shown loaded={loaded}>
        {({ extensions, since }) =>
          extensions.length === 0 ? (
            <Empty title="No extension was asked anything yet" command="seam ext list">
              How often each extension is called, how long that takes, what fails and what it stops
              is counted here. Which extensions there are:
            </Empty>
          ) : (
            <>
              {since && <p class="note">Since {moment(since, clock.value)}.</p>}
              <Scrollable class="wide-table" label="Extensions">
                <table class="numbers">
                  <thead>
                    <tr>
                      <th scope="col">extension</th>
                      <th scope="col">calls</th>
                      <th scope="col">time</th>
                      <th scope="col">longest</th>
                      <th scope="col">errors</th>
                      <th scope="col">stops</th>
                    </tr>
                  </thead>
                  <tbody>
                    {extensions.map((one) => (
                      <tr key={one.name}>
                        <th scope="row">{one.name}</th>
                        <td>{count(one.calls)}</td>
                        <td>{duration(one.ms)}</td>
                        <td>{one.longestMs === undefined ? "–" : duration(one.longestMs)}</td>
                        <td class={one.errors > 0 ? "bad" : ""}>
                          {one.errors > 0 ? `✗ ${count(one.errors)}` : "0"}
                        </td>
                        <td>{count(one.stops)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scrollable>
            </>
          )
        }
      </Shown>
    </section>
  );
}
