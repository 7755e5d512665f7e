import { join } from "node:path";
import { type Static, Type } from "typebox";
import { type DaemonService, jsonRoute, type ServiceSurroundings } from "../daemon/index.ts";
import { loadUserSettings } from "../settings/index.ts";
import { Entrance } from "./entrance/entrance.ts";
import { Guard } from "./entrance/guard.ts";
import { LiveView } from "./now/live-view.ts";
import { makeApp } from "./server/app.ts";
import { PageFiles } from "./server/page-files.ts";
import { checked, QUERIES } from "./server/request.ts";
import { actsOf, asksOf } from "./server/routes.ts";
import { ViewServer } from "./server/view-server.ts";
import { Hub } from "./stream/hub.ts";
import { ViewThread } from "./thread/view-thread.ts";

/** How the page is to be opened; what is absent is as in the settings, or as it was. */
export const OpenSchema = Type.Object(
  {
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    prefix: Type.Optional(Type.String({ pattern: "^(/[A-Za-z0-9._~-]+)*$", maxLength: 200 })),
  },
  { additionalProperties: false },
);
export type OpenWish = Static<typeof OpenSchema>;

export interface Opened {
  readonly url: string;
}

export const OPEN_ROUTE = "/v1/view/open";

/** The page in the daemon. Its port is opened when somebody asks for it, or may come back to it. */
export async function viewService(around: ServiceSurroundings): Promise<DaemonService> {
  const view = new View(around);
  await view.start();
  return {
    name: "view",
    routes: {
      [`POST ${OPEN_ROUTE}`]: jsonRoute((body) => view.open(checked(OpenSchema, body ?? {}))),
    },
    isBusy: () => view.isOpen,
    status: () => view.status(),
    hear: (event) => view.hear(event),
    close: () => view.close(),
  };
}

class View {
  readonly #around: ServiceSurroundings;
  readonly #entrance: Entrance;
  readonly #hub: Hub;
  readonly #thread: ViewThread;
  readonly #live: LiveView;
  /** By port, and by the path they are under: pages that are open stay so when another is asked for. */
  readonly #servers = new Map<number, ViewServer>();
  readonly #apps = new Map<string, ReturnType<typeof makeApp>>();
  /** Where the page is opened next. */
  #serving: { readonly port: number; readonly prefix: string } | undefined;

  constructor(around: ServiceSurroundings) {
    this.#around = around;
    this.#entrance = new Entrance(join(around.paths.run, "view.json"));
    this.#thread = new ViewThread({ warn: (text) => around.log.warn(text) });
    this.#hub = new Hub((count) => this.#live.setOpen(count > 0));
    this.#live = new LiveView(around, this.#hub, (wish) => this.#thread.ask("card", wish));
  }

  get isOpen(): boolean {
    return this.#hub.count > 0;
  }

  /** A page that was open when the last daemon ended comes back to the same port. */
  async start(): Promise<void> {
    if (this.#entrance.isExpected) await this.#serve({});
  }

  async open(wish: OpenWish): Promise<Opened> {
    const { port, prefix } = await this.#serve(wish);
    return { url: `http://127.0.0.1:${port}${prefix}/#code=${this.#entrance.newCode()}` };
  }

  hear(event: Parameters<NonNullable<DaemonService["hear"]>>[0]): void {
    this.#live.hear(event);
  }

  status(): Readonly<Record<string, unknown>> {
    const { count: pages, keptBytes } = this.#hub;
    return { pages, keptBytes, ...(this.#serving && { port: this.#serving.port }) };
  }

  async close(): Promise<void> {
    this.#hub.close();
    this.#live.setOpen(false);
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
    await this.#thread.close();
  }

  async #serve(wish: OpenWish): Promise<{ readonly port: number; readonly prefix: string }> {
    const { view } = loadUserSettings();
    const wanted = wish.port ?? view.port;
    const prefix = wish.prefix ?? this.#serving?.prefix ?? view.prefix ?? "";
    const { port: before = undefined } = this.#serving ?? this.#entrance;
    if (!this.#apps.has(prefix)) this.#apps.set(prefix, this.#app(prefix));
    const port = await this.#listen(wanted, before);
    this.#entrance.setPort(port);
    this.#serving = { port, prefix };
    return this.#serving;
  }

  async #listen(wanted: number | undefined, before: number | undefined): Promise<number> {
    const known = wanted ?? before;
    if (known !== undefined && this.#servers.has(known)) return known;
    const server = new ViewServer((request, env) => this.#appFor(request).fetch(request, env));
    const port = await server.listen({
      ...(wanted !== undefined && { wanted }),
      ...(before !== undefined && { before }),
    });
    this.#servers.set(port, server);
    return port;
  }

  /** The page under the longest path that a request begins with; without any, that of the root. */
  #appFor({ url }: Request): ReturnType<typeof makeApp> {
    const { pathname } = new URL(url);
    const prefixes = [...this.#apps.keys()].sort((one, other) => other.length - one.length);
    const found = prefixes.find((prefix) => isUnder(pathname, prefix)) ?? prefixes[0] ?? "";
    return this.#apps.get(found) ?? this.#app(found);
  }

  #app(prefix: string) {
    const { log } = this.#around;
    const parts = { around: this.#around, live: this.#live, thread: this.#thread };
    return makeApp({
      prefix,
      files: new PageFiles(),
      entrance: this.#entrance,
      guard: new Guard(this.#entrance, () => loadUserSettings().view.hosts ?? []),
      hub: this.#hub,
      asks: asksOf(parts),
      acts: actsOf(parts),
      image: (query) => {
        const { key, child, n = "0", ...ref } = checked(QUERIES.entry, query);
        return this.#thread.ask("image", {
          ...this.#live.wishFor(ref.agent, ref.session),
          key,
          n: Number(n),
          ...(child !== undefined && { child }),
        });
      },
      failed: (what, error) => log.failed(`the page's ${what}`, error),
    });
  }
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}
