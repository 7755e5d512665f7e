import type { Enter } from "../../src/view/api.ts";
import { post } from "../data/http.ts";

/**
 * The address of a page that was just opened ends with a code that works once. It becomes a cookie,
 * and leaves the address, so that nobody finds it in the history of the browser.
 */
export async function enter(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (!code) return;
  history.replaceState(null, "", location.pathname + location.search);
  // A code that is refused is no harm where there is a cookie from before: the next request says.
  await post("api/enter", { code } satisfies Enter).catch(() => undefined);
}
