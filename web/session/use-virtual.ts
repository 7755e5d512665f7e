import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from "@tanstack/virtual-core";
import { useLayoutEffect, useReducer, useState } from "preact/hooks";

type Options = Pick<
  VirtualizerOptions<HTMLElement, HTMLElement>,
  "count" | "getItemKey" | "estimateSize" | "getScrollElement" | "onChange"
>;

/**
 * A list of which only what can be seen is on the page. It stays where the reader is when entries are
 * added above, and follows the end while the reader is there.
 */
export function useVirtual(options: Options): Virtualizer<HTMLElement, HTMLElement> {
  const [, draw] = useReducer<number, undefined>((count) => count + 1, 0);
  const all: VirtualizerOptions<HTMLElement, HTMLElement> = {
    ...options,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    overscan: 12,
    paddingStart: 20,
    paddingEnd: 32,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: 80,
    onChange: (instance, sync) => {
      draw(undefined);
      options.onChange?.(instance, sync);
    },
  };
  const [virtualizer] = useState(() => new Virtualizer(all));
  virtualizer.setOptions(all);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
