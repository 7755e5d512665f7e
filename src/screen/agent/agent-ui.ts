import { type AskDialog, dialogs } from "../../extensions/index.ts";
import { askPerson } from "../dialogs/ask-person.ts";
import { rememberedAnswers } from "../dialogs/remembered-answers.ts";
import { ScreenUI, type UISurroundings } from "./extension-ui.ts";

interface Asking {
  readonly cwd: string;
  readonly elsewhere: AskDialog;
  readonly isAttended: () => boolean;
  readonly nameOf: (path: string) => string;
}

/** The user interface of the agent's extensions: the screen, with dialogs that the inbox sees too. */
export function agentUI(
  { cwd, elsewhere, isAttended, nameOf }: Asking,
  around: Omit<UISurroundings, "dialogs">,
): ScreenUI {
  const ask = askPerson({
    dialogs: around.stage.dialogs,
    remembered: rememberedAnswers(cwd, nameOf, (text) => around.notify(text, "warning")),
    elsewhere,
    isAttended,
    nameOf,
    notify: (text) => around.notify(text, "info"),
    alert: () => around.stage.screen.terminal.write("\u0007"),
  });
  return new ScreenUI({ ...around, dialogs: dialogs(ask) });
}
