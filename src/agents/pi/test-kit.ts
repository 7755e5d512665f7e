import { type PluginPlace, QUICK } from "../hooks/test-kit/plugin-place.ts";
import { piPlugin } from "./plugin.ts";

type Handler = (event: object, ctx: object) => Promise<unknown> | undefined;

/** Pi, as far as the plugin can tell. */
export class FakePi {
  readonly handlers = new Map<string, Handler>();
  readonly said: unknown[][] = [];
  /** What the user says to a question. */
  answer: () => unknown = () => true;
  readonly ctx = {
    cwd: "/home/dev/app",
    hasUI: true,
    model: { provider: "mock", id: "mock-model" },
    sessionManager: { getSessionId: () => "s1", getSessionFile: () => "/sessions/s1.jsonl" },
    ui: {
      notify: (...args: unknown[]) => this.said.push(["notify", ...args]),
      confirm: async (...args: unknown[]) => {
        this.said.push(["confirm", ...args]);
        return this.answer();
      },
    },
  };

  readonly api = {
    on: (event: string, handler: Handler) => void this.handlers.set(event, handler),
    sendMessage: (...args: unknown[]) => this.said.push(["sendMessage", ...args]),
    sendUserMessage: (...args: unknown[]) => this.said.push(["sendUserMessage", ...args]),
  };

  static async with(place: PluginPlace, limits = QUICK): Promise<FakePi> {
    const pi = new FakePi();
    const { default: start } = await place.load(piPlugin(limits));
    (start as (api: object) => void)(pi.api);
    return pi;
  }

  /** What Pi gets back from the plugin. */
  fire(type: string, fields: object = {}, ctx: object = this.ctx): Promise<unknown> | undefined {
    return this.emit({ type, ...fields }, ctx);
  }

  emit(event: { type: string }, ctx: object = this.ctx): Promise<unknown> | undefined {
    const handler = this.handlers.get(event.type);
    if (!handler) throw new Error(`nobody listens for ${event.type}`);
    return handler(event, ctx);
  }
}
