import type { ExtensionCalls } from "./calls/extension-calls.ts";
import type { DaemonPaths } from "./daemon-paths.ts";
import type { ExtensionUse } from "./extension-use.ts";
import type { Grants } from "./grants/grants.ts";
import type { CrewEvents } from "./hooks/crew-events.ts";
import type { Handle } from "./http/server.ts";
import type { Inbox } from "./inbox/inbox.ts";
import type { Rules } from "./inbox/rules.ts";
import type { LiveEvent, LiveEvents } from "./live-events.ts";
import type { Log } from "./log.ts";
import type { SessionsForPeople } from "./presence/people.ts";

/** What the daemon gives to a service that lives in it. */
export interface ServiceSurroundings {
  readonly paths: DaemonPaths;
  readonly log: Log;
  /** What agents do right now, for those who follow it. */
  readonly live: LiveEvents;
  /** The tools and commands that extensions let others call. */
  readonly calls: ExtensionCalls;
  /** What happens in crews, for the extensions of the repository they work in. */
  readonly crewEvents: CrewEvents;
  /** Everything that waits for a person. */
  readonly inbox: Inbox;
  /** The rules that people's answers "always" and "never" became. */
  readonly rules: Rules;
  /** What extensions did, and how long it took. */
  readonly use: Pick<ExtensionUse, "counted">;
  /** The sessions of all agents that spoke lately. */
  readonly sessions: SessionsForPeople;
  /** Which processes and sessions do tasks of crews. */
  readonly grants: Pick<Grants, "working" | "named">;
}

/**
 * Something that lives in the daemon beside the hooks: search, the page, MCP. The daemon does not
 * know which there are; `cli` composes them. Nothing a service does may hold the daemon's thread.
 */
export interface DaemonService {
  readonly name: string;
  /** By method and path: "POST /v1/search". Only Seam's own clients, which have the token, get here. */
  readonly routes?: Readonly<Record<string, Handle>>;
  /** The daemon does not end for want of work while this is true. */
  isBusy?(): boolean;
  /** What `seam daemon status --json` shows under `services`. */
  status?(): Readonly<Record<string, unknown>>;
  /** Hears every event of every agent after its hook was answered. Must return at once. */
  hear?(event: LiveEvent): void;
  close?(): Promise<void>;
}

/** Starts a service. The daemon already answers hooks by then, so it may load what it needs. */
export type StartService = (daemon: ServiceSurroundings) => DaemonService | Promise<DaemonService>;

/** The services of one daemon. One that fails is missing and logged; hooks go on. */
export class Services {
  readonly #log: Log;
  readonly #services: DaemonService[] = [];
  #started: Promise<void> = Promise.resolve();

  constructor(log: Log) {
    this.#log = log;
  }

  start(starts: readonly StartService[], daemon: ServiceSurroundings): void {
    this.#started = this.#startAll(starts, daemon);
  }

  async #startAll(starts: readonly StartService[], daemon: ServiceSurroundings): Promise<void> {
    for (const start of starts) {
      try {
        this.#services.push(await start(daemon));
      } catch (error) {
        this.#log.failed("a service of the daemon could not be started", error);
      }
    }
  }

  /** What answers a path. What may come from a service that is still starting is waited for. */
  async route(wanted: readonly string[]): Promise<Handle | undefined> {
    const known = this.#find(wanted);
    if (known) return known;
    await this.#started;
    return this.#find(wanted);
  }

  #find(wanted: readonly string[]): Handle | undefined {
    for (const path of wanted) {
      for (const { routes } of this.#services) {
        if (routes && Object.hasOwn(routes, path)) return routes[path];
      }
    }
    return undefined;
  }

  get isBusy(): boolean {
    return this.#services.some((service) => service.isBusy?.() === true);
  }

  status(): Readonly<Record<string, object>> {
    return Object.fromEntries(
      this.#services.map((service) => [service.name, service.status?.() ?? {}]),
    );
  }

  hear(event: LiveEvent): void {
    for (const service of this.#services) {
      try {
        service.hear?.(event);
      } catch (error) {
        this.#log.failed(`${service.name} could not take an event`, error);
      }
    }
  }

  async close(): Promise<void> {
    await this.#started;
    const failed = (error: unknown) => this.#log.failed("a service could not be closed", error);
    await Promise.all(this.#services.map((service) => service.close?.().catch(failed)));
  }
}
