/** What a person without a model can do. */
export const WITHOUT_MODEL = [
  "There is no model yet. You can:",
  "  log in:              /login, once an extension offers a login",
  "  use a key:           start again with ANTHROPIC_API_KEY, OPENAI_API_KEY",
  "                       or GEMINI_API_KEY set",
  "  use your own server: name it in ~/.seam/models.json, see docs/agent.md",
  "  look around:         seam run --model scripted:turns.json, where turns.json",
  '                       has the answers: [{ "text": "Hello." }]',
].join("\n");
