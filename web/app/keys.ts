import { useEffect, useRef } from "preact/hooks";
import { type KeyName, matching } from "./key-table.ts";

/** What a key does; false: nothing, so that whoever bound it before is asked. */
type Act = () => unknown;
export type Bindings = Partial<Record<KeyName, Act>>;

/** The last who bound a key is asked first: a dialog before the page behind it. */
const bound: { current: Bindings }[] = [];
let pressed: string[] = [];
let pressedAt = 0;
/** After this time a second key begins anew. */
const SEQUENCE = 1_200;

/** What was typed on the way to a field that is not there yet; undefined: nobody is on the way. */
let typedAhead: string | undefined;
let aheadAt = 0;
/** Whoever waits longer for a field does not type into it any more. */
const AHEAD = 3_000;

/** From now on letters are meant for a field that is about to appear. */
export function typeAhead(): void {
  typedAhead = "";
  aheadAt = performance.now();
}

/** The field is there: what was typed meanwhile goes into it. */
export function takeTyped(): string {
  const typed = typedAhead ?? "";
  typedAhead = undefined;
  return typed;
}

/** Binds keys for as long as the component is there. */
export function useKeys(bindings: Bindings): void {
  const current = useRef(bindings);
  current.current = bindings;
  useEffect(() => {
    bound.push(current);
    return () => void bound.splice(bound.indexOf(current), 1);
  }, []);
}

export function listenToKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Shift") return;
    if (isTyping(event.target)) {
      if (event.key === "Escape" && event.target instanceof HTMLElement) event.target.blur();
      return;
    }
    if (typedAhead !== undefined && performance.now() - aheadAt < AHEAD) {
      if (event.key === "Backspace") typedAhead = typedAhead.slice(0, -1);
      else if (event.key.length === 1) typedAhead += event.key;
      else typedAhead = undefined;
      event.preventDefault();
      return;
    }
    typedAhead = undefined;
    // A key that is held down must not answer the next question, too.
    if (event.repeat && !/^[jk[\]]$/.test(event.key)) return;
    if (event.timeStamp - pressedAt > SEQUENCE) pressed = [];
    pressedAt = event.timeStamp;
    const found = matching([...pressed, event.key]);
    const { name, isBegun } = found.name || found.isBegun ? found : matching([event.key]);
    pressed = isBegun ? [event.key] : [];
    if (name && run(name)) event.preventDefault();
  });
}

/** Does what a key does, for who has a mouse. */
export function run(name: KeyName): boolean {
  for (const { current } of [...bound].reverse()) {
    const act = current[name];
    if (act && act() !== false) return true;
  }
  return false;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
    !(target instanceof HTMLInputElement && target.type === "checkbox")
  );
}
