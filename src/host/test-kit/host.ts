import { onTestFinished } from "vitest";
import { EVENT_NAMES, type EventMap, type EventName, type SeamEvent } from "../../events/index.ts";
import type {
  ExtensionAPI,
  ExtensionHandler,
  InlineExtension,
  ModelRequest,
} from "../../extensions/index.ts";
import { type AgentOptions, createAgent } from "../create-agent.ts";
import type { EmbeddedAgent } from "../embedded-agent.ts";
import {
  type Models,
  type ScriptedModel,
  type ScriptedTurn,
  scriptedModels,
} from "../models/index.ts";

export type Handlers = { readonly [Name in EventName]?: ExtensionHandler<Name> };

export interface HostedOptions extends Omit<AgentOptions, "model" | "models"> {
  /** What the scripted model answers. */
  readonly turns?: readonly ScriptedTurn[];
  readonly model?: ScriptedModel;
  /** Handlers of an extension called "tested". */
  readonly on?: Handlers;
  /** The rest of that extension. */
  readonly extend?: (pi: ExtensionAPI) => unknown;
}

export interface Hosted {
  readonly agent: EmbeddedAgent;
  readonly models: Models;
  /** Everything that was fired since the start, as the first extension sees it. */
  readonly seen: readonly SeamEvent[];
  /** What the model was asked, one per call. */
  readonly requests: readonly ModelRequest[];
  /** The api of the extension as it is now. */
  readonly pi: ExtensionAPI;
  of<Name extends EventName>(name: Name): EventMap[Name][];
}

/** An agent that is gone after the test. */
export async function hosted(options: HostedOptions = {}): Promise<Hosted> {
  const host = await newHosted(options);
  onTestFinished(() => host.agent.dispose());
  return host;
}

/** An agent with a scripted model, everything it fires, and everything its model is asked. */
export async function newHosted(options: HostedOptions = {}): Promise<Hosted> {
  const { turns = [], model, on = {}, extend, extensions = [], ...rest } = options;
  const models = scriptedModels(turns, { env: {}, ...(model && { model }) });
  const requests = recordRequests(models);
  const seen: SeamEvent[] = [];
  let api: ExtensionAPI | undefined;
  const recorder: InlineExtension = {
    name: "recorder",
    factory: (pi) => {
      for (const name of EVENT_NAMES) pi.on(name, (event) => void seen.push(event));
    },
  };
  const tested: InlineExtension = {
    name: "tested",
    factory: (pi) => {
      api = pi;
      for (const name of EVENT_NAMES) subscribe(pi, name, on);
      return extend?.(pi);
    },
  };
  const agent = await createAgent({
    retry: { baseDelayMs: 1 },
    ...rest,
    models,
    extensions: [recorder, tested, ...extensions],
  });
  return {
    agent,
    models,
    seen,
    requests,
    get pi() {
      if (!api) throw new Error("The extension was not loaded.");
      return api;
    },
    of: (name) => eventsOf(seen, name),
  };
}

function subscribe<Name extends EventName>(pi: ExtensionAPI, name: Name, on: Handlers): void {
  const handler = on[name];
  // The mapped type says so; TypeScript does not follow it through a generic name.
  if (handler) pi.on(name, handler as ExtensionHandler<Name>);
}

/** Requests as they leave the loop, in the order of the calls. */
export function recordRequests(models: Models): ModelRequest[] {
  const requests: ModelRequest[] = [];
  const stream = models.stream.bind(models);
  models.stream = (model, request, options) => {
    requests.push({ ...request, messages: [...request.messages] });
    return stream(model, request, options);
  };
  return requests;
}

export function eventsOf<Name extends EventName>(
  events: readonly SeamEvent[],
  name: Name,
): EventMap[Name][] {
  return events.filter((event): event is EventMap[Name] => event.type === name);
}
