import type { ComponentChildren } from "preact";
import type { Address } from "../data/address.ts";
import { go, hrefOf } from "../data/route.ts";
import { drawer } from "./drawer.ts";

interface Props {
  readonly to: Address;
  readonly class?: string;
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
  readonly "aria-current"?: "page" | "true" | undefined;
  readonly "data-phase"?: string;
}

/** A link inside the page. With Ctrl or another button it is one of the browser's. */
export function Link({ to, children, ...rest }: Props) {
  return (
    <a
      {...rest}
      href={hrefOf(to)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        drawer.value = undefined;
        go(to);
      }}
    >
      {children}
    </a>
  );
}
