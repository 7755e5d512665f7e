import { readFileSync } from "node:fs";
import ts from "@typescript/typescript6";

/** A name that a door lets out, as an editor finds it in the bundled declarations. */
export interface DeclaredName {
  readonly name: string;
  /** What the editor shows beside it; empty if there is nothing to show. */
  readonly comment: string;
}

/** Every name of a bundle of declarations, without those that it passes on from other packages. */
export function declaredNames(file: string): DeclaredName[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const comments = new Map<string, string>();
  const exported: [name: string, local: string][] = [];
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement)) {
      if (statement.moduleSpecifier || !statement.exportClause) continue;
      if (!ts.isNamedExports(statement.exportClause)) continue;
      for (const { name, propertyName = name } of statement.exportClause.elements) {
        exported.push([name.text, propertyName.text]);
      }
    } else {
      for (const local of namesIn(statement)) {
        comments.set(local, (comments.get(local) ?? "") + commentOf(statement));
      }
    }
  }
  return exported.map(([name, local]) => ({ name, comment: comments.get(local) ?? "" }));
}

function namesIn(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
}

function commentOf(statement: ts.Statement): string {
  return ts
    .getJSDocCommentsAndTags(statement)
    .map((comment) => comment.getText())
    .join("\n");
}
