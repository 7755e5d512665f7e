import type { Virtualizer } from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { setQuery } from "../data/route.ts";
import { readTurn } from "./reading-position.ts";

/** Who is this near to the end is at it, and follows what is added. */
export const AT_END = 80;

type List = RefObject<HTMLElement | null>;

/** A question that appears above makes the list lower: who was at its end stays there. */
export function useStayAtEnd(
  list: List,
  virtual: Virtualizer<HTMLElement, HTMLElement>,
  isEmpty: boolean,
): void {
  useEffect(() => {
    const element = list.current;
    if (!element || isEmpty) return;
    let height = element.clientHeight;
    const observer = new ResizeObserver(() => {
      const wasAtEnd = element.scrollHeight - element.scrollTop - height < AT_END;
      if (wasAtEnd && element.clientHeight < height) virtual.scrollToEnd();
      height = element.clientHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [list, virtual, isEmpty]);
}

/** How many entries came while the reader was somewhere else. */
export function useUnread(total: number, isAtEnd: boolean): number {
  const [unread, setUnread] = useState(0);
  const known = useRef({ total: 0, isAtEnd: true });
  useEffect(() => {
    const { total: before, isAtEnd: wasAtEnd } = known.current;
    if (isAtEnd) setUnread(0);
    else if (before > 0 && total > before && !wasAtEnd) setUnread((sum) => sum + total - before);
    known.current = { total, isAtEnd };
  }, [total, isAtEnd]);
  return unread;
}

interface Position {
  readonly isPlaced: boolean;
  readonly isScrolling: boolean;
  /** The entry at the top; undefined at the end. */
  readonly key: string | undefined;
  /** The turn it is in; undefined for the last. */
  readonly turn: string | undefined;
}

/** Where somebody reads goes into the address, and to the numbers beside it, when it came to rest. */
export function useReadingPosition({ isPlaced, isScrolling, key, turn }: Position): void {
  useEffect(() => {
    if (!isPlaced || isScrolling) return;
    const timer = setTimeout(() => {
      setQuery({ at: key, line: undefined });
      readTurn.value = turn;
    }, 250);
    return () => clearTimeout(timer);
  }, [isPlaced, isScrolling, key, turn]);
}

/** Gives the keyboard to the line of an entry, so that Enter opens it; to the list, if it has none. */
export function focusLine(list: HTMLElement | null, key: string): void {
  requestAnimationFrame(() => {
    const line = list?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"] > .fold-line`);
    (line ?? list)?.focus({ preventScroll: true });
  });
}
