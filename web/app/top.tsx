import type { ComponentChildren } from "preact";
import { waiting } from "../data/live.ts";
import { withoutAnsi } from "../parts/ansi.ts";
import { toggleDrawer } from "./drawer.ts";
import { isHelpOpen } from "./help.tsx";

interface Props {
  readonly title: string;
  readonly about?: string;
  readonly hasSide?: boolean;
  /** Buttons. */
  readonly children?: ComponentChildren;
}

/** The line above what is in the middle. */
export function Top({ title, about, hasSide, children }: Props) {
  const hasActions = children !== undefined || hasSide;
  return (
    <header class={hasActions ? "top with-actions" : "top"}>
      <button
        type="button"
        class="bare only-narrow"
        aria-label={`Sessions, ${waiting.value} waiting for you`}
        onClick={() => toggleDrawer("left")}
      >
        ☰{waiting.value > 0 && <span class="badge">{waiting.value}</span>}
      </button>
      <div class="names">
        <h1 class="cut" title={title} dir="auto">
          {withoutAnsi(title)}
        </h1>
        {about && (
          <span class="about cut" title={about}>
            {about}
          </span>
        )}
      </div>
      <div class="actions">
        {children}
        {hasSide && (
          <button
            type="button"
            class="bare only-narrow for-side"
            aria-label="The turn in numbers"
            onClick={() => toggleDrawer("side")}
          >
            ⋯
          </button>
        )}
        <button
          type="button"
          class="bare only-wide"
          aria-label="Keys"
          onClick={() => {
            isHelpOpen.value = true;
          }}
        >
          <kbd>?</kbd>
        </button>
      </div>
    </header>
  );
}
