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
