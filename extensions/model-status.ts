import type { ExtensionAPI, ExtensionContext } from "agentseam";

/**
 * Shows the model in the status line and keeps it up to date.
 *
 * Shows: `ctx.ui.setStatus`, `model_select`.
 *
 * @example
 * seam run -e extensions/model-status.ts --mode rpc
 */
export default function modelStatus(pi: ExtensionAPI) {
  const show = (model: ExtensionContext["model"], { ui, modelRegistry }: ExtensionContext) => {
    const text = model && `${modelRegistry.getProviderDisplayName(model.provider)} · ${model.name}`;
    ui.setStatus("model", text);
  };

  pi.on("session_start", (_event, ctx) => show(ctx.model, ctx));
  pi.on("model_select", ({ model, previousModel }, ctx) => {
    show(model, ctx);
    if (previousModel) ctx.ui.notify(`${previousModel.name} → ${model.name}`);
  });
}
