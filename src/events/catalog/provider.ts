import { Type } from "typebox";
import { declare } from "../declaration.ts";
import { about, S } from "../schemas.ts";

const Headers = Type.Unsafe<Record<string, string | null>>({
  ...Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])),
  title: "Record<string, string | null>",
});

export const providerEvents = {
  before_provider_request: declare("before_provider_request", {
    group: "provider",
    kind: "transform",
    doc: "The request as the provider will get it. Whatever a handler returns takes its place.",
    payload: Type.Object({
      payload: Type.Unknown({
        description: "The body of the request, in the provider's own form.",
      }),
    }),
    // Anything but undefined; not `unknown`, which would swallow the result types of all events.
    result: Type.Unsafe<NonNullable<unknown> | null>({ title: "NonNullable<unknown> | null" }),
    mutable: ["payload"],
    apply: (event, payload) => ({ event: { ...event, payload } }),
  }),
  before_provider_headers: declare("before_provider_headers", {
    group: "provider",
    kind: "transform",
    doc: "The headers that are added to the request: change them in place. Null takes one out.",
    payload: Type.Object({
      headers: about(Headers, "Headers of the model and of extensions, without the key."),
    }),
    result: Type.Object({
      headers: Type.Optional(
        about(Headers, "Added to those of the event, or taken out where they are null."),
      ),
    }),
    mutable: ["headers"],
    apply: (event, result) => {
      const { headers = {} } = result as { headers?: Record<string, string | null> };
      return { event: { ...event, headers: { ...Object(event.headers), ...headers } } };
    },
  }),
  after_provider_response: declare("after_provider_response", {
    group: "provider",
    kind: "observe",
    doc: "The provider answered; the body is not read yet.",
    payload: Type.Object({
      status: Type.Integer({ description: "The HTTP status." }),
      headers: Type.Unsafe<Record<string, string>>({
        ...Type.Record(Type.String(), Type.String()),
        description: "The headers of the answer, in lower case.",
      }),
    }),
  }),
  provider_stream_event: declare("provider_stream_event", {
    group: "provider",
    kind: "observe",
    doc: "An event of the provider's stream, parsed, before Seam makes anything of it.",
    payload: Type.Object({
      provider: Type.String({ description: "The provider that answers." }),
      api: Type.String({ description: "The api it is asked through." }),
      model: Type.String({ description: "The model's id." }),
      data: Type.Unknown({
        description: "The event in the provider's own form; not to be changed.",
      }),
    }),
  }),
  credential_disabled: declare("credential_disabled", {
    group: "provider",
    kind: "observe",
    doc: "A login could not be renewed: the provider cannot be asked until somebody logs in again.",
    payload: Type.Object({
      provider: Type.String({ description: "The provider." }),
      disabledCause: Type.String({ description: "Why it was not renewed." }),
    }),
  }),
  model_select: declare("model_select", {
    group: "provider",
    kind: "observe",
    doc: "Another model was chosen.",
    payload: Type.Object({
      model: about(S.model, "The model from now on."),
      previousModel: Type.Optional(about(S.model, "The model before.")),
      source: about(
        S.oneOf("set", "cycle", "restore"),
        "It was chosen, reached by switching through the models, or brought back with a session.",
      ),
    }),
  }),
  thinking_level_select: declare("thinking_level_select", {
    group: "provider",
    kind: "observe",
    doc: "Another thinking level was chosen.",
    payload: Type.Object({
      level: Type.String({ description: "The level from now on." }),
      previousLevel: Type.String({ description: "The level before." }),
    }),
  }),
};
