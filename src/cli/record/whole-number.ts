import { InvalidArgumentError } from "commander";

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) {
    throw new InvalidArgumentError("It must be a whole number above 0.");
  }
  return value;
}
