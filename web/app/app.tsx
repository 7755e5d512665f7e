import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { View } from "../data/address.ts";
import { isClosed } from "../data/http.ts";
import { reloads, waiting } from "../data/live.ts";
import { isSame } from "../data/live-state.ts";
import { address, go, sessionAddress, viewAddress } from "../data/route.ts";
import { chosen, inOrder } from "../now/chosen.ts";
import { NowView } from "../now/now-view.tsx";
import { Broken, Skeleton } from "../parts/states.tsx";
import { Boundary } from "./boundary.tsx";
import { Closed } from "./closed.tsx";
import { drawer } from "./drawer.ts";
import { Help, isHelpOpen } from "./help.tsx";
import { typeAhead, useKeys } from "./keys.ts";
import { Left } from "./left.tsx";
import { Notices } from "./notices.tsx";
import { nextTheme } from "./theme.ts";
import { Top } from "./top.tsx";

/** Views that are not needed at first are loaded when they are. */
const LATER: Readonly<Record<Exclude<View, "now">, () => Promise<ComponentType>>> = {
  history: async () => (await import("../history/history-view.tsx")).HistoryView,
  crews: async () => (await import("../crews/crews-view.tsx")).CrewsView,
  use: async () => (await import("../use/use-view.tsx")).UseView,
  extensions: async () => (await import("../extensions/extensions-view.tsx")).ExtensionsView,
  rules: async () => (await import("../rules/rules-view.tsx")).RulesView,
};

export function App() {
  useKeys({
    "go.now": () => go(viewAddress("now")),
    "go.history": () => go(viewAddress("history")),
    "go.search": () => {
      typeAhead();
      go(viewAddress("history", { focus: "search" }));
    },
    "go.crews": () => go(viewAddress("crews")),
    "go.use": () => go(viewAddress("use")),
    "go.extensions": () => go(viewAddress("extensions")),
    "go.rules": () => go(viewAddress("rules")),
    "session.next": () => step(1),
    "session.previous": () => step(-1),
    "page.theme": nextTheme,
    "page.help": () => {
      isHelpOpen.value = true;
    },
    "page.close": () => {
      drawer.value = undefined;
    },
  });
  const count = waiting.value;
  useEffect(() => {
    document.title = count > 0 ? `(${count}) Seam` : "Seam";
  }, [count]);
  if (isClosed.value) return <Closed />;
  const { view } = address.value;
  const hasSide = view === "now" && chosen.value !== undefined;
  return (
    <div class={hasSide ? "app with-side" : "app"} data-drawer={drawer.value}>
      <Left />
      <Boundary key={view} what="This view">
        {view === "now" ? <NowView /> : <LaterView view={view} />}
      </Boundary>
      <button
        type="button"
        class="curtain"
        aria-label="Close"
        onClick={() => {
          drawer.value = undefined;
        }}
      />
      {isHelpOpen.value && <Help />}
      <Notices />
    </div>
  );
}

function LaterView({ view }: { view: Exclude<View, "now"> }) {
  const [state, setState] = useState<{ view: View; Shown?: ComponentType; failed?: true }>({
    view,
  });
  // What could not be loaded is tried again when the connection is back.
  const turn = reloads.value;
  useEffect(() => {
    LATER[view]().then(
      (Shown) => setState({ view, Shown }),
      () => setState({ view, failed: true }),
    );
  }, [view, turn]);
  if (state.view === view && state.Shown) return <state.Shown />;
  return (
    <main class="middle">
      <Top title="Seam" />
      <div class="page">
        {state.failed ? (
          <Broken
            title="This view could not be loaded"
            next="Seam was updated or has ended. Reload the page; if it stays closed, run `seam view`."
            again={() => location.reload()}
          />
        ) : (
          <Skeleton />
        )}
      </div>
    </main>
  );
}

/** To the next session in the order of the list. */
function step(by: number): boolean {
  const sessions = inOrder();
  const current = chosen.value;
  const at = current ? sessions.findIndex((one) => isSame(one, current)) : -1;
  const next = sessions[Math.max(0, Math.min(sessions.length - 1, at + by))];
  if (!next) return false;
  go(sessionAddress(next));
  return true;
}
