import type { Route } from '../../access/policy';
import type { ApiReference, ParameterExample } from './reference';

type Examples = Readonly<Record<string, ParameterExample>>;

/**
 * The record that each parameter of a path names in the examples. An order's parts below /checkouts have those of
 * their twins below /orders.
 */
export function pathExamples(
  route: string,
  path: string,
  { places, routes }: ApiReference['parameterExamples'],
): Examples {
  const twin = asOrder(`${path}/`);
  const examples: Record<string, ParameterExample> = {};
  for (const { 1: name = '', 0: match, index } of twin.matchAll(/:(\w+)(?=\/)/g)) {
    const example = places[twin.slice(0, index + match.length)];
    if (example !== undefined) examples[name] = example;
  }
  return { ...examples, ...ofRoute(routes, route) };
}

/** What the examples ask for in the query. */
export function queryExamples(route: string, { queries }: ApiReference['parameterExamples']): Examples {
  return ofRoute(queries, route) ?? {};
}

/** The route whose example has to be tried before that of this one, if there is one. */
export function exampleMadeBy(
  route: string,
  { madeBy }: ApiReference['parameterExamples'],
): Route | undefined {
  return ofRoute(madeBy, route);
}

function ofRoute<T>(table: Partial<Record<Route, T>>, route: string): T | undefined {
  const entries: [string, T | undefined][] = Object.entries(table);
  return entries.find(([key]) => key === route || key === asOrder(route))?.[1];
}

function asOrder(path: string): string {
  return path.replace('/checkouts/:number/', '/orders/:number/');
}
