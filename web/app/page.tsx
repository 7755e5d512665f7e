import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Where a page was scrolled to is kept in the history, so that a reload and "back" return there. */
function keptPosition(): number {
  const state: unknown = history.state;
  if (typeof state !== "object" || state === null || !("y" in state)) return 0;
  return typeof state.y === "number" ? state.y : 0;
}

/** What fills the middle of a view, and scrolls. */
export function Page({ children }: { children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const page = place.current;
    const wanted = keptPosition();
    if (!page || wanted === 0) return;
    // The content arrives later; until it does, or somebody scrolls, the page tries again.
    const observer = new ResizeObserver(() => {
      page.scrollTop = wanted;
      if (Math.abs(page.scrollTop - wanted) < 2) observer.disconnect();
    });
    if (page.firstElementChild) observer.observe(page.firstElementChild);
    const stop = () => observer.disconnect();
    page.addEventListener("wheel", stop, { once: true });
    return stop;
  }, []);
  return (
    <div
      class="page"
      ref={place}
      onScrollEnd={(event) => history.replaceState({ y: event.currentTarget.scrollTop }, "")}
    >
      <div class="content">{children}</div>
    </div>
  );
}
