import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listActionTypes } from '../order/action-types';
import { CURRENCY_BINDINGS, DIGITS, type Invariant } from './invariant';
import { listStateEdges } from './state-edges';

/** What the SQL of the files may contain besides their own parts, as `${NAME}`. */
const PARTS: Readonly<Record<string, string>> = {
  ...readParts(readStatements('parts')),
  DIGITS,
  PERCENT_ACTIONS: listTypes({ parameter: 'percent' }),
  AMOUNT_ACTIONS: listTypes({ parameter: 'amount' }),
  ORDER_ACTIONS: listTypes({ discounts: 'order' }),
  LINE_ACTIONS: listTypes({ discounts: 'line' }),
};

const BINDINGS = { ...CURRENCY_BINDINGS, edges: JSON.stringify(listStateEdges()) };

interface Statement {
  kind: string;
  name: string;
  /** The comments before the SQL: `rule: ...`, and others. */
  comments: string[];
  sql: string;
}

/**
 * Reads the invariants in a file of this folder. Each begins with its name, rule and table in comments; the parts that several of
 * them use are named likewise.
 */
export function readInvariants(subject: string): Invariant[] {
  const statements = readStatements(subject);
  const parts = { ...PARTS, ...readParts(statements) };
  return statements
    .filter(({ kind }) => kind === 'invariant')
    .map(({ name, comments, sql }) => ({
      name,
      rule: findComment(comments, 'rule: '),
      table: findComment(comments, 'table: '),
      ...(comments.includes('of the database') && { isOfDatabase: true }),
      sql: fill(sql, parts),
      bindings: BINDINGS,
    }));
}

function readStatements(subject: string): Statement[] {
  const text = readFileSync(path.join(__dirname, `${subject}.sql`), 'utf8');
  return text
    .split(/^-- (?=(?:part|invariant): )/m)
    .slice(1)
    .map((statement) => {
      const [, kind = '', name = '', header = '', sql = ''] =
        /^(\w+): (\w+)\n((?:-- .*\n)*)([\s\S]*)$/.exec(statement) ?? [];
      const comments = header.split('\n').map((line) => line.slice('-- '.length));
      return { kind, name, comments, sql: sql.trim() };
    });
}

function readParts(statements: readonly Statement[]): Record<string, string> {
  const parts = statements.filter(({ kind }) => kind === 'part');
  return Object.fromEntries(parts.map(({ name, sql }) => [name, sql]));
}

function findComment(comments: readonly string[], beginning: string): string {
  const found = comments.find((comment) => comment.startsWith(beginning));
  if (found === undefined) throw new Error(`an invariant has no ${beginning}`);
  return found.slice(beginning.length);
}

/** Replaces the names of parts, which may contain others. */
function fill(sql: string, parts: Readonly<Record<string, string>>): string {
  return sql.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`there is no part ${name}`);
    return fill(part, parts);
  });
}

/** The types of promotion actions with these terms, as an SQL list. */
function listTypes(terms: Parameters<typeof listActionTypes>[0]): string {
  return `(${listActionTypes(terms)
    .map((type) => `'${type}'`)
    .join(', ')})`;
}
