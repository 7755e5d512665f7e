import { InvalidArgumentError } from "commander";

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) {
    throw new InvalidArgumentError("It must be a whole number above 0.");
  }
  return value;
}

/** An amount on the command line. Nothing can be done with 0 of something. */
export function amount(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value <= 0) {
    throw new InvalidArgumentError("It must be a number above 0.");
  }
  return value;
}
