import { Command } from "../parts/states.tsx";

/** The page has no cookie that the server takes: only `seam view` can open it. */
export function Closed() {
  return (
    <main class="door">
      <h1>This page is closed</h1>
      <p>
        Only you may see what your agents do, so the page opens with a code that works once. Run
        this in a terminal on the machine where Seam runs:
      </p>
      <Command text="seam view" />
      <p>
        Over ssh, it prints an address to open here; forward its port first. Nothing was lost: your
        agents go on, and what waits for an answer still waits.
      </p>
    </main>
  );
}
