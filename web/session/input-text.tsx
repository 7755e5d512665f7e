import { OutputText } from "../parts/output-text.tsx";

/** What a tool was given: short values in a line each, long ones whole below their name. */
export function InputText({ input }: { input: unknown }) {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return <OutputText text={asText(input)} label="the input" />;
  }
  const values = Object.entries(input);
  const only = values.length === 1 ? values[0] : undefined;
  if (only && typeof only[1] === "string")
    return <OutputText text={only[1]} label={`the ${only[0]}`} />;
  return (
    <dl class="input">
      {values.map(([name, value]) => {
        const text = asText(value);
        return (
          <div key={name} data-long={text.includes("\n") || text.length > 90}>
            <dt>{name}</dt>
            <dd>
              <pre>{text}</pre>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function asText(value: unknown): string {
  if (typeof value === "string") return value;
  return JSON.stringify(value, null, 2) ?? "";
}
