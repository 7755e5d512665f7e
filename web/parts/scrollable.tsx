import type { ComponentChildren } from "preact";

interface Props {
  readonly label: string;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** Something that scrolls by itself, and can be reached with the keyboard for that. */
export function Scrollable({ label, class: name, children }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced as a form.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: nobody could scroll it without a mouse.
    <div class={name} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
