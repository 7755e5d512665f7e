import {
  type Component,
  getKeybindings,
  type InputListener,
  type Keybinding,
} from "../../terminal/index.ts";
import { PromptBlock } from "../blocks/text-blocks.ts";
import { searchTranscript } from "../parts/search-line.ts";
import type { Stage } from "../parts/stage.ts";

const WHEEL_LINES = 3;
const ESC = "\u001b";
const MOUSE = new RegExp(`^${ESC}\\[<(\\d+);\\d+;\\d+[mM]$`);

/** Keys that count wherever the keyboard is: scrolling, and the mouse wheel. */
export function scrollKeys(stage: Stage): InputListener {
  const { transcript } = stage;
  const isPrompt = (block: Component) => block instanceof PromptBlock;
  const moves: readonly (readonly [Keybinding, () => void])[] = [
    ["app.scroll.pageUp", () => transcript.page(-1)],
    ["app.scroll.pageDown", () => transcript.page(1)],
    ["app.scroll.up", () => transcript.scrollBy(-1)],
    ["app.scroll.down", () => transcript.scrollBy(1)],
    ["app.scroll.top", () => transcript.toStart()],
    ["app.scroll.end", () => transcript.toEnd()],
    ["app.scroll.search", () => searchTranscript(stage)],
    ["app.scroll.previousPrompt", () => transcript.jump(-1, isPrompt)],
    ["app.scroll.nextPrompt", () => transcript.jump(1, isPrompt)],
  ];
  return (data) => {
    const wheel = MOUSE.exec(data)?.[1];
    if (wheel !== undefined) {
      if (wheel === "64") transcript.scrollBy(-WHEEL_LINES);
      else if (wheel === "65") transcript.scrollBy(WHEEL_LINES);
      return { consume: true };
    }
    if (stage.screen.hasOverlay() || !stage.isEditing) return undefined;
    const move = moves.find(([action]) => getKeybindings().matches(data, action));
    move?.[1]();
    return move ? { consume: true } : undefined;
  };
}
