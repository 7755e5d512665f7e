import type { SyntaxNode } from "unbash";

const TESTS: ReadonlySet<string> = new Set(["-v", "-R", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);

/** Numbers and what is between them: nothing that could hold a command. */
const PLAIN = /^[\d\s+*/%()<>=!&|^~?:,@*-]*$/;

/** Whether the shell evaluates a variable's value here, so that it can be a command. */
export function calculates(node: SyntaxNode): boolean {
  switch (node.type) {
    case "ArithmeticCommand":
      return !PLAIN.test(node.body);
    case "ArithmeticFor":
      return true;
    case "ArithmeticExpansion":
      return !PLAIN.test(node.text.slice(1));
    case "ParameterExpansion":
      return (
        // `${#x}` only counts.
        node.prefix === "!" ||
        (node.index !== undefined && !PLAIN.test(node.index.text)) ||
        node.operation?.type === "Transform" ||
        (node.operation?.type === "Slice" &&
          !PLAIN.test(node.text.slice(node.text.indexOf(":"), -1)))
      );
    case "Assignment":
      return node.index !== undefined && !PLAIN.test(node.index.text);
    case "TestUnary":
    case "TestBinary":
      return TESTS.has(node.operator);
    default:
      return false;
  }
}
