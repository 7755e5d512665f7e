import { isThinkingLevel, THINKING_LEVELS } from "../../events/index.ts";
import {
  defaultTheme,
  getSettingsListTheme,
  type SettingItem,
  SettingsList,
} from "../../terminal/index.ts";
import { Framed } from "../dialogs/dialog.ts";
import type { CommandSurroundings } from "./screen-command.ts";

const ON_OFF = ["on", "off"];
const onOff = (isOn: boolean) => (isOn ? "on" : "off");

/** What can be changed for this run, in one list. What holds for all runs is in the settings file. */
export async function changeSettings(around: CommandSurroundings): Promise<void> {
  const { agent, stage, themes, notify } = around;
  const { look, theme, queue } = stage;
  const items: SettingItem[] = [
    {
      id: "theme",
      label: "Theme",
      description: "the colours",
      currentValue: defaultTheme().name ?? "",
      values: themes.list().map(({ name = "" }) => name),
    },
    {
      id: "thinking",
      label: "Thinking",
      description: "how hard the model thinks",
      currentValue: agent.thinkingLevel,
      values: [...THINKING_LEVELS],
    },
    {
      id: "thoughts",
      label: "Show what the model thinks",
      currentValue: onOff(!look.thinkingHidden),
      values: ON_OFF,
    },
    {
      id: "whole",
      label: "Show tool calls whole",
      currentValue: onOff(look.toolsExpanded),
      values: ON_OFF,
    },
  ];
  const change = (id: string, value: string): void => {
    if (id === "theme") themes.use(value);
    else if (id === "thoughts") look.thinkingHidden = value === "off";
    else if (id === "whole") look.toolsExpanded = value === "on";
    else if (id === "thinking" && isThinkingLevel(value)) void agent.setThinkingLevel(value);
    look.changed();
  };
  await queue.ask<string>((done) => {
    const close = () => done(undefined);
    const list = new SettingsList(items, items.length, getSettingsListTheme(theme), change, close);
    return new Framed(list, (width) => [
      theme.fg("borderAccent", "─".repeat(width)),
      theme.bold("Settings of this run"),
    ]);
  });
  notify("What holds for all runs is in the settings: seam config");
}
