import ts from 'typescript';

/** One change of a source file that a test should notice. */
export interface Mutant {
  /** `<path>#<number>`, stable as long as the file does not change. */
  id: string;
  file: string;
  /** From 1. */
  line: number;
  kind: string;
  original: string;
  replacement: string;
}

interface Change {
  kind: string;
  /** What the expression becomes; null removes a statement. */
  replacement: string | null;
}

/** The name of the global function that says whether a mutant is active. It also records that its place was reached. */
const SWITCH = '__mutant';

const COMPARISONS: Record<string, readonly string[]> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
};

const OPERATORS: Record<string, string> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '+=': '-=',
  '-=': '+=',
};

/** Functions of two amounts: the mutant is one of the two. */
const AMOUNT_FUNCTIONS = new Set(['larger', 'smaller', 'subtract', 'sum']);

/** Methods that filter a list or a query: the mutant leaves them out. */
const FILTERS = new Set(['filter', 'where', 'andWhere', 'whereIn', 'whereNot', 'whereNull', 'whereNotNull']);

/**
 * Finds the mutants of a source file, and writes all of them into its text, each behind a switch of its own, so that
 * the file is compiled only once for all of them.
 */
export function instrument(file: string, text: string): { mutants: Mutant[]; code: string } {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];

  function render(node: ts.Node): string {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) {
      return node.getText(source);
    }
    // Numbered before its parts, so that the numbers follow the text.
    const switches = findChanges(node).map((change) => ({ ...change, id: register(node, change) }));
    let inner = '';
    let position = node.getStart(source);
    ts.forEachChild(node, (child) => {
      inner += text.slice(position, child.getStart(source)) + render(child);
      position = child.getEnd();
    });
    inner += text.slice(position, node.getEnd());
    return switches.reduceRight((rest, { id, replacement }) => {
      const isActive = `${SWITCH}(${JSON.stringify(id)})`;
      return replacement === null
        ? `{ if (!${isActive}) { ${rest} } }`
        : `(${isActive} ? (${replacement}) : ${rest})`;
    }, inner);
  }

  function register(node: ts.Node, { kind, replacement }: Change): string {
    const id = `${file}#${mutants.length}`;
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    mutants.push({ id, file, line, kind, original: node.getText(source), replacement: replacement ?? '' });
    return id;
  }

  const start = source.getStart(source);
  const code = text.slice(0, start) + render(source);
  return { mutants, code };
}

function findChanges(node: ts.Node): Change[] {
  if (ts.isExpressionStatement(node)) return findStatementChanges(node);
  if (!ts.isExpression(node)) return [];
  return [...findConditionChanges(node), ...findExpressionChanges(node)];
}

/** Statements with an effect: calls, also awaited ones, and assignments. Logging is not an effect, nor is a check of types. */
function findStatementChanges({ expression }: ts.ExpressionStatement): Change[] {
  const text = expression.getText();
  const isEffect =
    ts.isCallExpression(expression) ||
    ts.isAwaitExpression(expression) ||
    ts.isVoidExpression(expression) ||
    ts.isBinaryExpression(expression);
  if (!isEffect || /^(super|checkAllRead)\(|\blog\.\w+\(/.test(text)) return [];
  return [{ kind: 'statement removed', replacement: null }];
}

function findConditionChanges(node: ts.Expression): Change[] {
  const { parent } = node;
  const isCondition =
    (ts.isIfStatement(parent) && parent.expression === node) ||
    (ts.isConditionalExpression(parent) && parent.condition === node);
  if (!isCondition) return [];
  const replacements = isOfAssertion(parent) ? ['true'] : ['true', 'false'];
  return replacements.map((replacement) => ({ kind: `condition ${replacement}`, replacement }));
}

/** Whether it throws a plain `Error`, for what cannot happen: as no request gets a 500, no test can let the condition hold. */
function isOfAssertion(node: ts.Node): boolean {
  if (!ts.isIfStatement(node)) return false;
  const { thenStatement: then } = node;
  const only = ts.isBlock(then) && then.statements.length === 1 ? (then.statements[0] ?? then) : then;
  return ts.isThrowStatement(only) && /^new Error\(/.test(only.expression.getText());
}

function findExpressionChanges(node: ts.Expression): Change[] {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ kind: 'boolean', replacement: 'false' }];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ kind: 'boolean', replacement: 'true' }];
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return [{ kind: 'negation', replacement: node.operand.getText() }];
  }
  if (ts.isBinaryExpression(node)) return findOperatorChanges(node);
  if (ts.isCallExpression(node)) return findCallChanges(node);
  return [];
}

function findOperatorChanges({ left, operatorToken, right }: ts.BinaryExpression): Change[] {
  const operator = operatorToken.getText();
  const isText = [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));
  const comparisons = COMPARISONS[operator] ?? [];
  const other = isText && operator.startsWith('+') ? undefined : OPERATORS[operator];
  return [...comparisons, ...(other === undefined ? [] : [other])].map((changed) => ({
    kind: `${operator} to ${changed}`,
    replacement: `${left.getText()} ${changed} ${right.getText()}`,
  }));
}

function findCallChanges(node: ts.CallExpression): Change[] {
  const { expression: callee, arguments: values } = node;
  if (ts.isIdentifier(callee)) {
    const isOfAmounts = AMOUNT_FUNCTIONS.has(callee.text) && values.length === 2;
    const isKept = (isOfAmounts && !values.some(ts.isSpreadElement)) || callee.text === 'negate';
    return isKept
      ? values.map((value) => ({ kind: `${callee.text} removed`, replacement: value.getText() }))
      : [];
  }
  // A part of an optional chain cannot be replaced alone.
  if (!ts.isPropertyAccessExpression(callee) || ts.isOptionalChain(node)) return [];
  const { expression: subject, name } = callee;
  const list = values.map((value) => value.getText()).join(', ');
  if (FILTERS.has(name.text)) return [{ kind: `${name.text} removed`, replacement: subject.getText() }];
  if (name.text === 'some')
    return [{ kind: 'some to every', replacement: `${subject.getText()}.every(${list})` }];
  if (name.text === 'every')
    return [{ kind: 'every to some', replacement: `${subject.getText()}.some(${list})` }];
  return [];
}
