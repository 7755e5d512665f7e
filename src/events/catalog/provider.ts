import { Type } from "typebox";
import { declare } from "../declaration.ts";
import { S } from "../schemas.ts";

export const providerEvents = {
  before_provider_request: declare("before_provider_request", {
    group: "provider",
    kind: "transform",
    doc: "The request as the provider will get it. Whatever a handler returns takes its place.",
    payload: Type.Object({ payload: Type.Unknown() }),
    // Anything but undefined; not `unknown`, which would swallow the result types of all events.
    result: Type.Unsafe<NonNullable<unknown> | null>({ title: "any" }),
    mutable: ["payload"],
    apply: (event, payload) => ({ event: { ...event, payload } }),
  }),
  after_provider_response: declare("after_provider_response", {
    group: "provider",
    kind: "observe",
    doc: "The provider answered; the body is not read yet.",
    payload: Type.Object({
      status: Type.Integer(),
      headers: Type.Unsafe<Record<string, string>>(S.record),
    }),
  }),
  model_select: declare("model_select", {
    group: "provider",
    kind: "observe",
    doc: "Another model was chosen.",
    payload: Type.Object({
      model: S.model,
      previousModel: Type.Optional(S.model),
      source: S.oneOf("set", "cycle", "restore"),
    }),
  }),
  thinking_level_select: declare("thinking_level_select", {
    group: "provider",
    kind: "observe",
    doc: "Another thinking level was chosen.",
    payload: Type.Object({ level: Type.String(), previousLevel: Type.String() }),
  }),
};
