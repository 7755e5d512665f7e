import { VIEWS, type View } from "../data/address.ts";
import { connection, live } from "../data/live.ts";
import { address, viewAddress } from "../data/route.ts";
import { SessionList } from "../now/session-list.tsx";
import { Boundary } from "./boundary.tsx";
import { Link } from "./link.tsx";
import { nextTheme, theme } from "./theme.ts";

const TITLES: Readonly<Record<View, string>> = {
  now: "Now",
  history: "History",
  crews: "Crews",
  use: "Use",
  extensions: "Agents",
  rules: "Rules",
};

const LINKS = { connecting: "connecting…", open: "", lost: "◌ no connection" } as const;

/** The way around the page, and every session by what it wants from you. */
export function Left() {
  const { view } = address.value;
  return (
    <nav class="left" aria-label="Sessions and views">
      <div class="brand">
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d="M1.500 0H5.200V12H1.500A1.500 1.500 0 0 1 0 10.500V1.500A1.500 1.500 0 0 1 1.500 0ZM6.800 0H10.500A1.500 1.500 0 0 1 12 1.500V10.500A1.500 1.500 0 0 1 10.500 12H6.800Z" />
        </svg>
        Seam
        <span class="link cut" data-state={connection.value} aria-live="polite">
          {LINKS[connection.value] || live.value.host}
        </span>
        <button
          type="button"
          class="bare push"
          onClick={nextTheme}
          aria-label={`Colours: ${theme.value}`}
          title="Light, dark, as the system (t)"
        >
          {theme.value}
        </button>
      </div>
      <div class="tabs">
        {VIEWS.map((name) => (
          <Link key={name} to={viewAddress(name)} aria-current={view === name ? "page" : undefined}>
            {TITLES[name]}
          </Link>
        ))}
      </div>
      <Boundary what="The list of sessions">
        <SessionList />
      </Boundary>
    </nav>
  );
}
