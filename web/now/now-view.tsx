import { useSignalEffect } from "@preact/signals";
import { Page } from "../app/page.tsx";
import { Top } from "../app/top.tsx";
import { failure, isLoaded, readNow } from "../data/live.ts";
import { Broken, Command, Skeleton } from "../parts/states.tsx";
import { SessionView } from "../session/session-view.tsx";
import { chooseFirst, chosen } from "./chosen.ts";
import { Inbox } from "./inbox.tsx";

/** What is going on: what waits, and the session that is most pressing or was chosen. */
export function NowView() {
  useSignalEffect(chooseFirst);
  const session = chosen.value;
  if (session) return <SessionView {...session} />;
  return (
    <main class="middle">
      <Top title="Now" />
      <Inbox />
      <Page>
        <Nothing />
      </Page>
    </main>
  );
}

function Nothing() {
  const failed = failure.value;
  if (failed) {
    return <Broken title={failed.message} next={failed.next} again={() => void readNow()} />;
  }
  if (!isLoaded.value) return <Skeleton />;
  return (
    <div class="state">
      <h2>No agent is at work</h2>
      <p>
        Every session of every agent on this machine appears here while it works: what it does, what
        it costs, and what it needs from you. Let Seam see the agents of a project:
      </p>
      <Command text="seam enable" />
      <p>Then start one as you always do, in your own terminal:</p>
      <Command text="claude" />
      <p>What agents did before is under History.</p>
    </div>
  );
}
