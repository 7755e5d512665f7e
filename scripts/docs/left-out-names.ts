/** Names that Pi exports and Seam does not: undefined at import. By package, with the reason. */
export const LEFT_OUT: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "pi-coding-agent": {
    "Pi's own program: start `seam run` instead": ["main", "InteractiveMode"],
    "a screen of Pi's own program that nothing else opens": [
      "ArminComponent",
      "LoginDialogComponent",
      "SettingsSelectorComponent",
    ],
    "runs extensions: in Seam their session does": ["ExtensionRunner"],
    "installs packages: `seam ext add` does": ["DefaultPackageManager"],
    "an extension that is part of Pi": [
      "createCodemodeExtension",
      "createMcpExtension",
      "createToolSearchExtension",
    ],
  },
  "pi-ai": {
    "an api that Seam does not speak": [
      "streamAzureOpenAIResponses",
      "streamSimpleAzureOpenAIResponses",
      "streamGoogleVertex",
      "streamSimpleGoogleVertex",
      "streamMistral",
      "streamSimpleMistral",
      "streamOpenAICodexResponses",
      "streamSimpleOpenAICodexResponses",
      "setBedrockProviderModule",
    ],
    "Seam has no models that make pictures": [
      "generateImagesOpenRouter",
      "registerBuiltInImagesApiProviders",
    ],
    "Seam sends no telemetry": ["AI_TELEMETRY_SCHEMA"],
  },
  "pi-ai/compat": {
    "an api that Seam does not speak": [
      "azureOpenAIResponsesApi",
      "bedrockConverseStreamApi",
      "googleVertexApi",
      "mistralConversationsApi",
      "openAICodexResponsesApi",
      "piMessagesApi",
    ],
  },
  "pi-agent-core": {
    "the harness of 0.74, which later versions do not have": [
      "AgentHarness",
      "InMemorySessionRepo",
      "JsonlSessionRepo",
      "Session",
      "getEntriesToFork",
      "toSession",
    ],
  },
  "pi-tui": {
    "the terminal itself: an extension is handed the one there is": [
      "TUI",
      "TuiMainScreen",
      "TuiAltScreen",
      "StdinBuffer",
    ],
    "formulas are shown as they are written": ["renderLatex"],
  },
};
