import { useCallback, useEffect, useState } from "preact/hooks";
import { asRefused, type Refused } from "./http.ts";
import { reloads } from "./live.ts";

/** Something the page asked for: there, refused, or on its way. */
export interface Loaded<T> {
  readonly value?: T;
  readonly error?: Refused;
  /** It takes long enough that a person should see that something is coming. */
  readonly isSlow: boolean;
  again(): void;
}

/** How soon something is asked for again of which more will be there. */
const MORE_MS = 2_000;

/** Asks again for what is not whole yet, until it is. */
export function useMore<T>({ value, again }: Loaded<T>, isPart: boolean): void {
  useEffect(() => {
    if (!isPart) return;
    const soon = setTimeout(again, MORE_MS);
    return () => clearTimeout(soon);
  }, [value, isPart, again]);
}

/** Sooner, a skeleton would only flicker. */
const SLOW = 150;

/**
 * Asks when `name` changes, and again when the stream says that something was lost. What was there
 * under the same name stays until the new is there.
 */
export function useLoad<T>(name: string, ask: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ name: string; value?: T; error?: Refused; isSlow: boolean }>(
    {
      name,
      isSlow: false,
    },
  );
  const [turn, setTurn] = useState(0);
  const reload = reloads.value;
  useEffect(() => {
    const asking = new AbortController();
    const isOld = (before: { name: string }) => before.name !== name;
    const slow = setTimeout(
      () =>
        setState((before) =>
          isOld(before) ? { name, isSlow: true } : { ...before, isSlow: true },
        ),
      SLOW,
    );
    ask(asking.signal)
      .then((value) => setState({ name, value, isSlow: false }))
      .catch((error: unknown) => {
        if (asking.signal.aborted) return;
        setState((before) => ({
          ...(isOld(before) ? { name } : before),
          error: asRefused(error),
          isSlow: false,
        }));
      })
      .finally(() => clearTimeout(slow));
    return () => {
      clearTimeout(slow);
      asking.abort();
    };
  }, [name, turn, reload]);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  if (state.name !== name) return { isSlow: false, again };
  const { name: _, ...rest } = state;
  return { ...rest, again };
}
