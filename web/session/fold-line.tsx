import type { ComponentChildren } from "preact";

interface Props {
  readonly mark: string;
  readonly isOpen: boolean;
  readonly end?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
  toggle(): void;
}

/** One line that opens to the whole. */
export function FoldLine(props: Props) {
  return (
    <button
      type="button"
      class={`fold-line ${props.class ?? ""}`}
      aria-expanded={props.isOpen}
      onClick={props.toggle}
    >
      <span class="mark" aria-hidden="true">
        {props.mark || (props.isOpen ? "▾" : "▸")}
      </span>
      <span class="cut">{props.children}</span>
      <span class="end">{props.end}</span>
    </button>
  );
}
