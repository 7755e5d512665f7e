import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Log } from "../../daemon/log.ts";
import { People } from "../../daemon/presence/people.ts";
import { mayRun } from "../../daemon/test-kit/inbox.ts";
import { until } from "../../daemon/test-kit/setup.ts";
import type { StreamEvent } from "../api.ts";
import type { CardFacts } from "../session/answers.ts";
import { Hub } from "../stream/hub.ts";
import { LiveView } from "./live-view.ts";

it("a transcript that is long to read does not make a session that needs you look as if it worked", async () => {
  const home = mkdtempSync(join(tmpdir(), "seam-live-view-"));
  const people = new People({
    home,
    run: home,
    log: new Log(join(home, "log")),
    find: () => undefined,
    agentNamed: () => undefined,
    onAttended: () => {},
  });
  onTestFinished(() => people.close());
  const told: StreamEvent[] = [];
  const hub = new Hub();
  hub.tell = (event) => void told.push(event);
  const cards = () => told.flatMap((event) => (event.type === "session" ? event.session : []));
  let haveRead = (_: CardFacts) => {};
  const reading = new Promise<CardFacts>((resolve) => {
    haveRead = resolve;
  });
  const view = new LiveView(people, hub, () => reading);
  view.setOpen(true);
  onTestFinished(() => view.setOpen(false));

  const asking = mayRun("rm -rf build");
  people.live.begin({ agent: asking.agent, session: asking.session, cwd: "/home/dev/app" });
  expect(view.now("1", "box").sessions).toMatchObject([{ phase: "working" }]);
  void people.inbox.ask(asking);
  await until(() => cards().at(-1)?.phase === "needs-you");
  haveRead({ title: "Move billing" });
  await until(() => cards().at(-1)?.title === "Move billing");
  expect(cards().at(-1)).toMatchObject({ phase: "needs-you" });
});
