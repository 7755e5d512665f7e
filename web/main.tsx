import "./style/tokens.css";
import "./style/base.css";
import "./style/shell.css";
import "./style/now.css";
import "./style/session.css";
import "./style/text.css";
import "./style/diff.css";
import "./style/views.css";
import "./style/crews.css";
import { render } from "preact";
import type { Enter } from "../src/view/api.ts";
import { App } from "./app/app.tsx";
import { listenToKeys } from "./app/keys.ts";
import { showTheme } from "./app/theme.ts";
import { post } from "./data/http.ts";
import { connect } from "./data/live.ts";
import { listenToHistory } from "./data/route.ts";

showTheme();
listenToHistory();
listenToKeys();
await enter();
connect();
const place = document.getElementById("app");
if (place) render(<App />, place);

/**
 * The address of a page that was just opened ends with a code that works once. It becomes a cookie,
 * and leaves the address, so that nobody finds it in the history of the browser.
 */
async function enter(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (!code) return;
  history.replaceState(null, "", location.pathname + location.search);
  // A code that is refused is no harm where there is a cookie from before: the next request says.
  await post("api/enter", { code } satisfies Enter).catch(() => undefined);
}
