import {
  type Model,
  type SessionEntry,
  type ThinkingLevel,
  textOfContent,
} from "../../../events/index.ts";
import type { SessionTreeNode } from "../../../extensions/index.ts";
import {
  Container,
  DynamicBorder,
  defaultTheme,
  getKeybindings,
  getSelectListTheme,
  Input,
  type SelectItem,
  SelectList,
  Text,
} from "../../../terminal/index.ts";

const SHOWN = 10;

/** A list to choose from, with a title, and a search if there is much of it. */
class Choice extends Container {
  readonly #list: SelectList;
  readonly #search: Input | undefined;
  focused = true;

  constructor(
    title: string,
    items: SelectItem[],
    onSelect: (value: string) => void,
    onCancel: () => void,
    options: { search?: boolean; selected?: string } = {},
  ) {
    super();
    const theme = defaultTheme();
    this.addChild(new DynamicBorder((text) => theme.fg("border", text)));
    if (title !== "") this.addChild(new Text(theme.fg("accent", theme.bold(title)), 1, 0));
    if (options.search) {
      this.#search = new Input();
      this.addChild(this.#search);
    }
    this.#list = new SelectList(items, SHOWN, getSelectListTheme());
    this.#list.onSelect = ({ value }) => onSelect(value);
    this.#list.onCancel = onCancel;
    const at = items.findIndex(({ value }) => value === options.selected);
    if (at >= 0) this.#list.setSelectedIndex(at);
    this.addChild(this.#list);
    this.addChild(new DynamicBorder((text) => theme.fg("border", text)));
  }

  getSelectList = () => this.#list;
  getSearchInput = () => this.#search;
  getMessageList = () => this.#list;
  getTreeList = () => this.#list;
  getSessionList = () => this.#list;

  handleInput(data: string): void {
    const keys = getKeybindings();
    const moves = (["up", "down", "pageUp", "pageDown", "confirm", "cancel"] as const).some((one) =>
      keys.matches(data, `tui.select.${one}`),
    );
    if (moves || !this.#search) {
      this.#list.handleInput(data);
      return;
    }
    this.#search.handleInput(data);
    this.#list.setFilter(this.#search.getValue());
  }

  dispose(): void {}
}

const named = (value: string): SelectItem => ({ value, label: value });

export class ExtensionSelectorComponent extends Choice {
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(
    title: string,
    options: string[],
    onSelect: (option: string) => void,
    onCancel: () => void,
    opts: { timeout?: number } = {},
  ) {
    super(title, options.map(named), onSelect, onCancel);
    this.#timer = opts.timeout === undefined ? undefined : setTimeout(onCancel, opts.timeout);
  }

  override dispose(): void {
    clearTimeout(this.#timer);
  }
}

export class ShowImagesSelectorComponent extends Choice {
  constructor(current: boolean, onSelect: (show: boolean) => void, onCancel: () => void) {
    const items = [
      { value: "yes", label: "Yes" },
      { value: "no", label: "No" },
    ];
    super("Show images", items, (value) => onSelect(value === "yes"), onCancel, {
      selected: current ? "yes" : "no",
    });
  }
}

export class ThemeSelectorComponent extends Choice {
  constructor(
    current: string,
    onSelect: (name: string) => void,
    onCancel: () => void,
    onPreview?: (name: string) => void,
  ) {
    super("Theme", ["dark", "light"].map(named), onSelect, onCancel, { selected: current });
    this.getSelectList().onSelectionChange = ({ value }) => onPreview?.(value);
  }
}

export class ThinkingSelectorComponent extends Choice {
  constructor(
    current: ThinkingLevel,
    levels: ThinkingLevel[],
    onSelect: (level: ThinkingLevel) => void,
    onCancel: () => void,
  ) {
    const chosen = (value: string) => {
      const level = levels.find((one) => one === value);
      if (level) onSelect(level);
    };
    super("Thinking level", levels.map(named), chosen, onCancel, { selected: current });
  }
}

export class ModelSelectorComponent extends Choice {
  constructor(
    _ui: object,
    current: Model | undefined,
    _settings: object,
    registry: { getAvailable(): Model[] },
    scoped: readonly { model: Model }[],
    onSelect: (model: Model) => void,
    onCancel: () => void,
  ) {
    const models = scoped.length > 0 ? scoped.map(({ model }) => model) : registry.getAvailable();
    const key = ({ provider, id }: Model) => `${provider}/${id}`;
    const chosen = (value: string) => {
      const model = models.find((one) => key(one) === value);
      if (model) onSelect(model);
    };
    const items = models.map((model) => ({
      value: key(model),
      label: model.id,
      description: model.provider,
    }));
    super("Model", items, chosen, onCancel, {
      search: true,
      ...(current && { selected: key(current) }),
    });
  }
}

interface ListedSession {
  readonly path: string;
  readonly name?: string | undefined;
  readonly firstMessage: string;
  readonly modified: Date;
}

export class SessionSelectorComponent extends Choice {
  constructor(
    load: () => Promise<readonly ListedSession[]>,
    _loadAll: () => Promise<readonly ListedSession[]>,
    onSelect: (path: string) => void,
    onCancel: () => void,
    _onExit: () => void,
    requestRender: () => void,
  ) {
    const items: SelectItem[] = [];
    super("Resume a session", items, onSelect, onCancel, { search: true });
    load().then(
      (sessions) => {
        for (const { path, name, firstMessage, modified } of sessions) {
          items.push({
            value: path,
            label: name ?? (firstMessage.split("\n")[0] || path),
            description: modified.toISOString(),
          });
        }
        this.getSelectList().setFilter("");
        requestRender();
      },
      () => requestRender(),
    );
  }
}

export class UserMessageSelectorComponent extends Choice {
  constructor(
    messages: readonly { id: string; text: string }[],
    onSelect: (id: string) => void,
    onCancel: () => void,
    /** Most often one goes back by one step. */
    selected = messages.at(-1)?.id,
  ) {
    const items = messages.map(({ id, text }) => ({ value: id, label: text.split("\n")[0] ?? "" }));
    super(
      "Fork from a message",
      items,
      onSelect,
      onCancel,
      selected === undefined ? {} : { selected },
    );
  }
}

export class OAuthSelectorComponent extends Choice {
  constructor(
    mode: "login" | "logout",
    _auth: object,
    providers: readonly { id: string; name: string }[],
    onSelect: (id: string) => void,
    onCancel: () => void,
  ) {
    const items = providers.map(({ id, name }) => ({ value: id, label: name }));
    super(mode === "login" ? "Log in to" : "Log out of", items, onSelect, onCancel);
  }
}

/** The tree of a session: what stands on a branch of its own is moved in. */
export class TreeSelectorComponent extends Choice {
  constructor(
    tree: readonly SessionTreeNode[],
    leafId: string | null,
    _height: number,
    onSelect: (id: string) => void,
    onCancel: () => void,
  ) {
    super("Session tree", itemsOf(tree, 0), onSelect, onCancel, {
      search: true,
      ...(leafId !== null && { selected: leafId }),
    });
  }
}

function itemsOf(nodes: readonly SessionTreeNode[], depth: number): SelectItem[] {
  return nodes.flatMap(({ entry, children, label }) => {
    const name = `${"  ".repeat(depth)}${label === undefined ? "" : `[${label}] `}${textOf(entry)}`;
    return [
      { value: entry.id, label: name },
      ...itemsOf(children, depth + (children.length > 1 ? 1 : 0)),
    ];
  });
}

function textOf(entry: SessionEntry): string {
  if (entry.type === "message" && "content" in entry.message) {
    return `${entry.message.role}: ${textOfContent(entry.message.content).split("\n")[0] ?? ""}`;
  }
  if (entry.type === "compaction" || entry.type === "branch_summary")
    return `(${entry.type}) ${entry.summary.split("\n")[0] ?? ""}`;
  return `(${entry.type})`;
}
