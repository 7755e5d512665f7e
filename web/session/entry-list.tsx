import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { SessionHead } from "../../src/view/api.ts";
import { useKeys } from "../app/keys.ts";
import { readOpen, writeOpen } from "../data/address.ts";
import { live } from "../data/live.ts";
import { isSame } from "../data/live-state.ts";
import { address, setQuery } from "../data/route.ts";
import { toggleDiffLayout } from "../diff/diff-view.tsx";
import { count } from "../parts/format.ts";
import { Broken, Empty, Skeleton } from "../parts/states.tsx";
import { EntryRow } from "./entry-row.tsx";
import type { EntrySource } from "./entry-source.ts";
import { placeOfLine } from "./entry-window.ts";
import { estimate } from "./estimate.ts";
import { AT_END, focusLine, useReadingPosition, useStayAtEnd, useUnread } from "./list-position.ts";
import { promptBeside, turnAt, wanted } from "./reading-position.ts";
import { Session, type SessionContext } from "./session-context.ts";
import { useVirtual } from "./use-virtual.ts";

interface Props {
  readonly source: EntrySource;
  readonly head: SessionHead | undefined;
}

/** The conversation. Only what can be seen of it is on the page, however long it is. */
export function EntryList({ source, head }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const window = source.window.value;
  const [focused, setFocused] = useState<string | undefined>(undefined);
  const isPlaced = useRef(false);
  const getItemKey = useMemo(
    () => (place: number) => window.entries[place]?.key ?? place,
    [window],
  );
  const virtual = useVirtual({
    count: window.entries.length,
    getItemKey,
    getScrollElement: () => scroller.current,
    estimateSize: (place) => estimate(window.entries[place]),
  });
  const items = virtual.getVirtualItems();
  const firstPlace = items[0]?.index ?? 0;
  const lastPlace = items.at(-1)?.index ?? 0;
  const isAtEnd = !window.hasAfter && virtual.isAtEnd(AT_END);

  // The first page is shown from its end, or where the address says.
  useEffect(() => {
    if (isPlaced.current || window.entries.length === 0) return;
    isPlaced.current = true;
    const { at, line } = address.peek().query;
    const found = line === undefined ? -1 : placeOfLine(window.entries, Number(line));
    const place = window.places.get(at ?? "") ?? (found < 0 ? undefined : found);
    if (place === undefined) virtual.scrollToEnd();
    else virtual.scrollToIndex(place, { align: "start" });
    if (at === undefined && place !== undefined) setFocused(window.entries[place]?.key);
  }, [window, virtual]);

  useEffect(() => {
    if (isPlaced.current) source.look(firstPlace, lastPlace);
  }, [source, firstPlace, lastPlace, window]);

  const isEmpty = window.entries.length === 0;
  useStayAtEnd(scroller, virtual, isEmpty);
  const total = Math.max(head?.entries ?? 0, window.isCounted ? window.entries.length : 0);
  const unread = useUnread(total, isAtEnd);
  const prompts = head?.prompts ?? [];
  const top = virtual.getVirtualItemForOffset((virtual.scrollOffset ?? 0) + 24)?.index ?? 0;
  useReadingPosition({
    isPlaced: isPlaced.current,
    isScrolling: virtual.isScrolling,
    key: isAtEnd ? undefined : window.entries[top]?.key,
    turn: isAtEnd ? undefined : turnAt(window, prompts, top),
  });

  const open = readOpen(address.value.query.open);
  const toggle = (name: string) => {
    const now = new Set(open);
    if (!now.delete(name)) now.add(name);
    setFocused(name);
    setQuery({ open: writeOpen(now) });
  };
  const reach = async (key: string) => {
    if (!(await source.reach(key))) return;
    const place = source.window.peek().places.get(key);
    if (place === undefined) return;
    setFocused(key);
    // What was just brought in is drawn first.
    requestAnimationFrame(() => {
      virtual.scrollToIndex(place, { align: "start" });
      focusLine(scroller.current, key);
    });
  };
  const wish = wanted.value;
  // Only a new wish brings something into view.
  useEffect(() => {
    if (wish === undefined) return;
    wanted.value = undefined;
    void reach(wish);
  }, [wish]);
  const move = (step: number) => {
    const at = focused === undefined ? top - step : (window.places.get(focused) ?? top);
    const place = Math.min(Math.max(at + step, 0), window.entries.length - 1);
    const key = window.entries[place]?.key;
    if (key === undefined) return;
    setFocused(key);
    virtual.scrollToIndex(place, { align: "auto" });
    focusLine(scroller.current, key);
  };
  const jump = (step: 1 | -1) => {
    const key = promptBeside(window, prompts, window.places.get(focused ?? "") ?? top, step);
    if (key !== undefined) void reach(key);
  };
  const toEnd = async () => {
    await source.reachEnd();
    setFocused(undefined);
    requestAnimationFrame(() => virtual.scrollToEnd());
  };
  useKeys({
    "entry.next": () => move(1),
    "entry.previous": () => move(-1),
    "entry.open": () => focused !== undefined && toggle(focused),
    "prompt.next": () => jump(1),
    "prompt.previous": () => jump(-1),
    "entry.end": () => void toEnd(),
    "entry.begin": () => virtual.scrollToOffset(0),
    "diff.layout": toggleDiffLayout,
  });

  const question = live.value.questions.find((one) => isSame(one, source.place));
  const session: SessionContext = {
    place: source.place,
    ...(head?.cwd === undefined ? {} : { folder: head.cwd }),
    open,
    ...(focused === undefined ? {} : { focused }),
    toggle,
    isFresh: (key) => source.fresh.has(key),
    promptNumber: ({ key }) => {
      const at = head?.prompts.findIndex((prompt) => prompt.key === key) ?? -1;
      return at < 0 || !head?.isIndexed ? undefined : at + 1;
    },
    ...(question ? { waitingSince: question.at } : {}),
  };
  const error = source.error.value;
  if (isEmpty) {
    return (
      <div class="scroll">
        <div class="column">
          {error && (
            <Broken title={error.message} next={error.next} again={() => void source.begin()} />
          )}
          {!error && !source.isLoaded.value && <Skeleton />}
          {!error && source.isLoaded.value && (
            <Empty title="Nothing was said yet">
              The conversation appears here as soon as the agent has written it to its transcript.
            </Empty>
          )}
        </div>
      </div>
    );
  }
  return (
    <Session.Provider value={session}>
      <div class="reading">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
        <div class="scroll" ref={scroller} role="log" aria-label="Conversation" tabIndex={0}>
          <div class="column" style={{ height: `${virtual.getTotalSize()}px` }}>
            {items.map((item) => {
              const entry = window.entries[item.index];
              return (
                <div
                  key={item.key}
                  ref={virtual.measureElement}
                  data-index={item.index}
                  class="slot"
                  style={{ transform: `translateY(${item.start}px)` }}
                >
                  {entry ? <EntryRow entry={entry} /> : <div class="missing" aria-hidden="true" />}
                </div>
              );
            })}
          </div>
        </div>
        {!isAtEnd && (
          <button type="button" class="to-end" onClick={() => void toEnd()}>
            ↓ {unread > 0 ? `${count(unread)} new` : "to the end"}
          </button>
        )}
      </div>
    </Session.Provider>
  );
}
