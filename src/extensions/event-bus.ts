import { runAs } from "../dispatch/index.ts";
import type { EventBus } from "./api/extension-api.ts";

type Listener = (data: unknown) => unknown;

interface Who {
  readonly name: string;
  readonly path: string;
}

interface Joined {
  readonly who: Who;
  readonly run: Listener;
  readonly failed: (thrown: unknown) => void;
}

/** The bus all extensions of a session share. Each gets its own end of it. */
export class SharedBus {
  readonly #channels = new Map<string, Set<Joined>>();

  /** One extension's end: its subscriptions can be ended together. */
  join(who: Who, failed: (thrown: unknown) => void): { bus: EventBus; leave: () => void } {
    const endings = new Set<() => void>();
    const bus: EventBus = {
      emit: (channel, data) => this.#emit(channel, data),
      on: (channel, run) => {
        const listeners = this.#channels.get(channel) ?? new Set();
        this.#channels.set(channel, listeners);
        const listener = { who, run, failed };
        listeners.add(listener);
        const end = () => {
          listeners.delete(listener);
          endings.delete(end);
        };
        endings.add(end);
        return end;
      },
    };
    return {
      bus,
      leave: () => {
        for (const end of [...endings]) end();
      },
    };
  }

  #emit(channel: string, data: unknown): void {
    for (const { who, run, failed } of [...(this.#channels.get(channel) ?? [])]) {
      try {
        const returned = runAs(who, "a listener of the event bus", () => run(data));
        if (returned instanceof Promise) returned.catch(failed);
      } catch (thrown) {
        failed(thrown);
      }
    }
  }
}
