import type { z } from 'zod';
import type { CredentialNames } from './credentials';
import type { EndpointDescription } from './endpoint';
import { toList, isRecord, type Parameters } from '../parameters';
import { findNearName, type OtherNames } from './near-names';

/** Parameters besides credentials that every endpoint accepts, or that browser libraries add to requests, even if it does not read them. */
const EVERYWHERE = ['_method', '_', 'page', 'per_page'];
const OF_LISTS = ['q', 'ids', 'm'];
const OF_FEEDS = ['cursor', 'updated_since'];

/** The number of names that are collected. */
const MOST_NAMES = 100;
/** The number of names in the header. */
const MOST_NAMES_IN_HEADER = 20;
const LONGEST_NAME = 100;

const adminFields = new WeakSet<z.ZodType>();
const unreadNames = new WeakMap<z.ZodType, readonly string[]>();
const flattened = new WeakMap<z.ZodType, string>();
const namesIn = new WeakMap<z.ZodType, NamesIn>();
const readAs = new WeakMap<z.ZodType, z.ZodType>();

/** How a parameter that is a list of names is read, and the names that have an effect; null for the fields of a reply. */
interface NamesIn {
  read: (raw: unknown) => readonly string[];
  known: readonly string[] | null;
}

/** Marks a field that is ignored unless the caller is an admin; it is then reported as ignored. */
export function forAdmins<S extends z.ZodType>(field: S): S {
  adminFields.add(field);
  return field;
}

/** Lists documented attributes of a body that are not read; they are not reported as ignored. */
export function acceptingUnread<S extends z.ZodType>(body: S, names: readonly string[]): S {
  unreadNames.set(body, names);
  return body;
}

/** Marks a body whose attributes may be inside a record of that name or next to it. */
export function flattening<S extends z.ZodType>(body: S, name: string): S {
  flattened.set(body, name);
  return body;
}

/** Marks a parameter that is a list of names; those that are not known are reported as ignored. */
export function listingNames<S extends z.ZodType>(parameter: S, names: NamesIn): S {
  namesIn.set(parameter, names);
  return parameter;
}

/** Marks a field that another schema reads, such as rows that are valid each on its own; what that does not know is reported. */
export function readingAs<S extends z.ZodType>(field: S, schema: z.ZodType): S {
  readAs.set(field, schema);
  return field;
}

/** Whether the request prefers an error to ignored parameters (RFC 7240). */
export function prefersStrict(prefer: string | undefined): boolean {
  return (prefer ?? '').split(/[,;]/).some((word) => /^\s*handling\s*=\s*"?strict"?\s*$/i.test(word));
}

/**
 * Lists the parameters that are not read, as dotted paths (`order.line_items.0.colour`), at most 100: unknown names,
 * fields the caller may not write, and names that are path parameters. `given` has the parameters of query and body.
 */
export function findIgnoredParameters(
  endpoint: EndpointDescription,
  given: Parameters,
  reader: Reader,
): string[] {
  return listIgnored(endpoint, given, reader).map(({ path }) => path);
}

/** The number of ignored parameters that a hint explains. */
const MOST_EXPLAINED = 3;

/**
 * Builds the sentence that names, for ignored parameters, those that were probably meant; null if there are none. Repeats
 * only names that are close to known ones.
 */
export function explainIgnoredParameters(
  endpoint: EndpointDescription,
  given: Parameters,
  { otherNames, ...reader }: Reader & { otherNames: OtherNames },
): string | null {
  const meant = listIgnored(endpoint, given, reader).flatMap(({ path, known }) => {
    const near = findNearName(path.split('.').at(-1) ?? '', known, otherNames);
    return near === null ? [] : [`\`${sanitizePath(path)}\` was ignored; did you mean \`${near}\`?`];
  });
  return meant.length === 0 ? null : meant.slice(0, MOST_EXPLAINED).join(' ');
}

interface Reader {
  isAdmin: boolean;
  /** The parameters in the path. */
  inPath: object;
  credentials: CredentialNames;
}

/** A parameter that is not read, and the names that are read in its place. */
interface Ignored {
  path: string;
  known: readonly string[];
}

function listIgnored(
  endpoint: EndpointDescription,
  given: Parameters,
  { isAdmin, inPath, credentials }: Reader,
): Ignored[] {
  const { input, query, search, feed } = endpoint;
  const known = new Set([
    ...credentials.parameters,
    ...EVERYWHERE,
    ...(search === undefined ? [] : OF_LISTS),
    ...(feed === true ? OF_FEEDS : []),
    ...Object.keys(query?.shape ?? {}),
  ]);
  const found: Ignored[] = [];
  const parameters = Object.keys(query?.shape ?? {});
  const walk: Walk = { isAdmin, found, parameters };
  // A credential is text, not a record of that name.
  const isKnown = (name: string, value: unknown) =>
    known.has(name) && !(name === credentials.parameter && isRecord(value));
  const rest = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => !isKnown(name, value) && !Object.hasOwn(inPath, name)),
  );
  const accepted = input === undefined ? [] : listUnreadNames(input);
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(inPath, name) && !known.has(name) && !accepted.includes(name))
      found.push({ path: name, known: [] });
  }
  if (input === undefined) found.push(...Object.keys(rest).map((path) => ({ path, known: parameters })));
  else walkBody(walk, input, rest);
  found.push(...findUnknownNames(endpoint, given));
  return found.slice(0, MOST_NAMES);
}

/** Lists the unknown names in parameters that are lists of names, as `fields.colour`. */
function findUnknownNames({ query, paged, reply }: EndpointDescription, given: Parameters): Ignored[] {
  const parameters: Record<string, z.ZodType> = query?.shape ?? {};
  return Object.entries(parameters).flatMap(([parameter, schema]) => {
    const names = namesIn.get(schema);
    if (names === undefined || !Object.hasOwn(given, parameter)) return [];
    const isKnown = (name: string) =>
      names.known === null ? hasField(paged?.item ?? reply, name.split('.')) : names.known.includes(name);
    return names
      .read(given[parameter])
      .filter((name) => !isKnown(name))
      .map((name) => ({ path: `${parameter}.${name}`, known: names.known ?? [] }));
  });
}

/** Returns whether a record, or each record of a list, has the field at this path. */
function hasField(schema: z.ZodType | undefined, [name = '', ...rest]: readonly string[]): boolean {
  if (schema === undefined) return false;
  const { def } = unwrap(schema).inside;
  if (isArrayDef(def)) return hasField(def.element, [name, ...rest]);
  if (!isObjectDef(def) || !Object.hasOwn(def.shape, name)) return false;
  return rest.length === 0 || hasField(def.shape[name], rest);
}

/** Builds the value of X-Ignored-Parameters. Names come from the client, so they are sanitized and cut. */
export function buildIgnoredParametersHeader(paths: readonly string[]): string {
  return paths.slice(0, MOST_NAMES_IN_HEADER).map(sanitizePath).join(', ');
}

function sanitizePath(path: string): string {
  return path.replace(/[^\w.-]/g, '?').slice(0, LONGEST_NAME);
}

interface Walk {
  isAdmin: boolean;
  found: Ignored[];
  /** The names of query parameters, which may also be at the top of a body. */
  parameters: readonly string[];
}

function walkBody(walk: Walk, input: z.ZodType, given: Parameters): void {
  const wrapper = 'wrapper' in input ? String(input.wrapper) : null;
  const outer = findShape(input);
  if (outer === null) return;
  const inner = wrapper === null ? undefined : outer.shape[wrapper];
  if (wrapper === null || inner === undefined || wrapper in given) {
    walkRecord(walk, outer, given, '');
    return;
  }
  // Without the wrapper, its attributes are at the top level.
  const within = findShape(inner);
  walkRecord(
    walk,
    {
      shape: { ...within?.shape, ...outer.shape },
      unread: [...outer.unread, ...(within?.unread ?? [])],
      flat: within?.flat,
    },
    given,
    '',
  );
}

interface Shape {
  shape: Record<string, z.ZodType>;
  /** Names that are accepted and not read. */
  unread: readonly string[];
  /** The record that may hold the attributes, where they may also be next to it. */
  flat: string | undefined;
}

function walkRecord(walk: Walk, known: Shape, given: Record<string, unknown>, path: string): void {
  const names = [...Object.keys(known.shape), ...(path === '' ? walk.parameters : [])];
  for (const [name, value] of Object.entries(given)) {
    if (walk.found.length >= MOST_NAMES) return;
    const field = Object.hasOwn(known.shape, name) ? known.shape[name] : undefined;
    if (field !== undefined) {
      if (!walk.isAdmin && isForAdmins(field)) walk.found.push({ path: path + name, known: [] });
      else walkValue(walk, field, value, `${path}${name}.`);
    } else if (name === known.flat && isRecord(value)) {
      walkRecord(walk, { ...known, flat: undefined }, value, `${path}${name}.`);
    } else if (!known.unread.includes(name)) walk.found.push({ path: path + name, known: names });
  }
}

function walkValue(walk: Walk, schema: z.ZodType, value: unknown, path: string): void {
  const { inside, unread } = unwrap(schema);
  const { def } = inside;
  if (isArrayDef(def)) {
    const rows = toList(value);
    if (rows === null) walkValue(walk, def.element, value, path);
    else rows.forEach((row, index) => walkValue(walk, def.element, row, `${path}${index}.`));
    return;
  }
  if (!isRecord(value)) return;
  if (isObjectDef(def)) walkRecord(walk, { shape: def.shape, unread, flat: undefined }, value, path);
  if (isRecordDef(def))
    for (const [key, one] of Object.entries(value)) walkValue(walk, def.valueType, one, `${path}${key}.`);
}

function findShape(schema: z.ZodType): Shape | null {
  const { inside, unread, flat } = unwrap(schema);
  return isObjectDef(inside.def) ? { shape: inside.def.shape, unread, flat } : null;
}

function listUnreadNames(input: z.ZodType): readonly string[] {
  const outer = findShape(input);
  const inner = outer !== null && 'wrapper' in input ? outer.shape[String(input.wrapper)] : undefined;
  return [...(outer?.unread ?? []), ...(inner === undefined ? [] : (findShape(inner)?.unread ?? []))];
}

interface Unwrapped {
  inside: z.ZodType;
  unread: readonly string[];
  flat: string | undefined;
}

/** Removes optional, nullable, preprocess and transform layers. */
function unwrap(schema: z.ZodType): Unwrapped {
  const unread = unreadNames.get(schema) ?? [];
  const flat = flattened.get(schema);
  const next = readAs.get(schema) ?? beneath(schema);
  if (next === null) return { inside: schema, unread, flat };
  const below = unwrap(next);
  return { inside: below.inside, unread: [...unread, ...below.unread], flat: flat ?? below.flat };
}

function isForAdmins(field: z.ZodType): boolean {
  const next = beneath(field);
  return adminFields.has(field) || (next !== null && isForAdmins(next));
}

/** Returns the next layer: the output of a preprocess, the input of a transform; null for the innermost schema. */
function beneath(schema: z.ZodType): z.ZodType | null {
  const def = schema.def as Def; // what zod documents of its definitions, as far as it is used here
  if (def.innerType !== undefined) return def.innerType;
  if (def.type !== 'pipe' || def.in === undefined || def.out === undefined) return null;
  return def.in.def.type === 'transform' ? def.out : def.in;
}

interface Def {
  type: string;
  innerType?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
}

function isObjectDef(def: { type: string }): def is { type: 'object'; shape: Record<string, z.ZodType> } {
  return def.type === 'object' && 'shape' in def;
}

function isRecordDef(def: { type: string }): def is { type: 'record'; valueType: z.ZodType } {
  return def.type === 'record' && 'valueType' in def;
}

function isArrayDef(def: { type: string }): def is { type: 'array'; element: z.ZodType } {
  return def.type === 'array' && 'element' in def;
}
