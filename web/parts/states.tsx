import type { ComponentChildren } from "preact";
import type { Loaded } from "../data/load.ts";
import { CopyButton } from "./copy.tsx";

/** A command, with a button that copies it. */
export function Command({ text }: { text: string }) {
  return (
    <span class="command">
      <code>{text}</code>
      <CopyButton text={text} what="the command" />
    </span>
  );
}

/** A sentence in which what stands between backticks is code. */
export function Sentence({ text }: { text: string }) {
  return (
    <>{text.split("`").map((part, n) => (n % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
  );
}

/** What will be here, and how to get it. */
export function Empty(props: { title: string; children?: ComponentChildren; command?: string }) {
  return (
    <div class="state">
      <h2>{props.title}</h2>
      {props.children && <p>{props.children}</p>}
      {props.command && <Command text={props.command} />}
    </div>
  );
}

/** What failed, and what to do. The rest of the page goes on. */
export function Broken(props: { title: string; next: string; again?: () => void }) {
  return (
    <div class="state broken" role="alert">
      <h2>✗ {props.title}</h2>
      <p>
        <Sentence text={props.next} />
      </p>
      {props.again && (
        <button type="button" onClick={props.again}>
          Try again
        </button>
      )}
    </div>
  );
}

const LINES = ["a", "b", "c", "d", "e", "f"];

export function Skeleton() {
  return (
    <div class="skeleton" aria-busy="true" role="status">
      {LINES.map((line) => (
        <i key={line} />
      ))}
      <span class="hidden">Loading</span>
    </div>
  );
}

/** Shows what was asked for in whichever state it is. */
export function Shown<T>(props: { loaded: Loaded<T>; children: (value: T) => ComponentChildren }) {
  const { value, error, isSlow, again } = props.loaded;
  if (value !== undefined) return <>{props.children(value)}</>;
  if (error) return <Broken title={error.message} next={error.next} again={again} />;
  return isSlow ? <Skeleton /> : null;
}
