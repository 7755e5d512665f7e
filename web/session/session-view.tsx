import { useEffect, useMemo, useState } from "preact/hooks";
import type { Interrupted, SessionCard, SessionHead, SessionRef } from "../../src/view/api.ts";
import { Boundary } from "../app/boundary.tsx";
import { run, useKeys } from "../app/keys.ts";
import { attempt, tell } from "../app/notices.tsx";
import { Top } from "../app/top.tsx";
import type { SessionName } from "../data/address.ts";
import { get, post } from "../data/http.ts";
import { live, onGrowth, reloads } from "../data/live.ts";
import { isSame } from "../data/live-state.ts";
import { useLoad } from "../data/load.ts";
import { address } from "../data/route.ts";
import { Inbox } from "../now/inbox.tsx";
import { look } from "../now/unread.ts";
import { withoutAnsi } from "../parts/ansi.ts";
import { Composer } from "./composer.tsx";
import { EntryList } from "./entry-list.tsx";
import { EntrySource } from "./entry-source.ts";
import { readTurn } from "./reading-position.ts";
import { TurnPanel } from "./turn-panel.tsx";

/** A session: its conversation in the middle, its numbers beside it. */
export function SessionView({ agent, session }: SessionName) {
  const source = useMemo(() => new EntrySource({ agent, session }), [agent, session]);
  const [growth, setGrowth] = useState(0);
  const loaded = useLoad(`session ${agent} ${session} ${growth}`, (signal) =>
    get<SessionHead>("api/session", { agent, session }, signal),
  );
  const [head, setHead] = useState<SessionHead | undefined>(undefined);
  // The last one that is known stays while a newer one is on its way.
  useEffect(() => {
    if (loaded.value) setHead(loaded.value);
  }, [loaded.value]);

  useEffect(() => {
    readTurn.value = undefined;
    void source.begin(address.peek().query);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onGrowth((grown) => {
      if (!isSame(grown, source.place)) return;
      void source.grow();
      timer ??= setTimeout(() => {
        timer = undefined;
        setGrowth((before) => before + 1);
      }, 700);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [source]);
  const reload = reloads.value;
  useEffect(() => {
    if (reload > 0) void source.grow();
  }, [reload, source]);
  // A long transcript is counted little by little.
  useEffect(() => {
    if (!head || head.isIndexed) return;
    const timer = setTimeout(() => setGrowth((before) => before + 1), 1_000);
    return () => clearTimeout(timer);
  }, [head]);

  const card = live.value.sessions.find((one) => isSame(one, { agent, session })) ?? head?.live;
  const since = card?.since;
  // What one looks at is read, also what comes while one does.
  useEffect(() => {
    if (!document.hidden) look({ agent, session });
  }, [agent, session, since]);
  const about = [head?.agentType ?? card?.agentType, head?.model ?? card?.model, head?.branch];
  const indexed = head && !head.isIndexed ? `${Math.round(head.indexed * 100)} % read` : undefined;
  const title = card?.title ?? head?.title ?? (loaded.error ? "Session" : "…");
  return (
    <>
      <main class="middle">
        <Top title={title} about={[...about, indexed].filter(Boolean).join(" · ")} hasSide>
          <button
            type="button"
            class="bare"
            aria-label="Previous prompt"
            title="Previous prompt ([)"
            onClick={() => run("prompt.previous")}
          >
            ↑
          </button>
          <button
            type="button"
            class="bare"
            aria-label="Next prompt"
            title="Next prompt (])"
            onClick={() => run("prompt.next")}
          >
            ↓
          </button>
          {card && <Interrupt card={card} />}
          {card && <Hold card={card} />}
        </Top>
        <Boundary what="What waits for you">
          <Inbox />
        </Boundary>
        <Boundary what="The conversation">
          <EntryList key={`${agent}/${session}`} source={source} head={head} />
        </Boundary>
        {card && <Widgets card={card} />}
        {card && <Composer card={card} />}
      </main>
      <aside class="side" aria-label="The turn in numbers">
        <Boundary what="The numbers of this turn">
          <TurnPanel head={head} growth={growth} />
        </Boundary>
      </aside>
    </>
  );
}

/** What extensions show beside the session. */
function Widgets({ card }: { card: SessionCard }) {
  const widgets = card.shown.filter(({ kind }) => kind !== "title");
  if (widgets.length === 0) return null;
  return (
    <div class="widgets">
      {widgets.map(({ kind, key, lines }) => (
        <pre key={`${kind} ${key}`}>{withoutAnsi(lines.join("\n"))}</pre>
      ))}
    </div>
  );
}

/** So long a second press is awaited before the turn of an agent is ended. */
const SURE_MS = 3_000;

const ENDS: Readonly<Record<Interrupted["ends"], string>> = {
  "next step": "Its turn ends at its next step.",
  "calls refused": "Its tool calls are refused until its turn ends.",
};

function Interrupt({ card }: { card: SessionCard }) {
  const { agent, session, phase, isInterrupted } = card;
  const [isSure, setSure] = useState(false);
  useEffect(() => {
    if (!isSure) return;
    const timer = setTimeout(() => setSure(false), SURE_MS);
    return () => clearTimeout(timer);
  }, [isSure]);
  const isOpen = card.can.interrupt !== "cannot" && (phase === "working" || phase === "needs-you");
  const press = async () => {
    setSure(!isSure);
    if (!isSure) return;
    const ref = { agent, session } satisfies SessionRef;
    const ended = await attempt(() => post<Interrupted>("api/interrupt", ref));
    if (ended) tell(ENDS[ended.ends]);
  };
  useKeys({ "session.interrupt": () => isOpen && !isInterrupted && void press() });
  if (!isOpen) return null;
  return (
    <button
      type="button"
      class={isSure ? "is-sure" : ""}
      disabled={isInterrupted === true}
      onClick={() => void press()}
      title="Ends its turn"
    >
      {isInterrupted ? "Interrupted" : isSure ? "End its turn?" : "Interrupt"}
      {!isInterrupted && <kbd>x</kbd>}
    </button>
  );
}

function Hold({ card }: { card: SessionCard }) {
  const { agent, session, isHeld } = card;
  const toggle = () =>
    void attempt(() =>
      post(isHeld ? "api/release" : "api/hold", { agent, session } satisfies SessionRef),
    );
  useKeys({ "session.hold": () => card.can.hold && toggle() });
  if (!card.can.hold) return null;
  return (
    <button
      type="button"
      class={isHeld ? "is-held" : ""}
      onClick={toggle}
      title="It waits at its next tool call until you let it go on"
    >
      {isHeld ? "Let it go on" : "Hold"}
      <kbd>h</kbd>
    </button>
  );
}
