import { signal } from "@preact/signals";

/** On a narrow screen: the column that was slid in. */
export const drawer = signal<"left" | "side" | undefined>(undefined);

export function toggleDrawer(which: "left" | "side"): void {
  drawer.value = drawer.value === which ? undefined : which;
}
