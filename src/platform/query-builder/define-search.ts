/** What a searched column holds; decides how a value is read and which predicates make sense. */
export type ColumnType = 'integer' | 'decimal' | 'text' | 'boolean' | 'timestamp';

/** A column of the table itself, or an SQL expression over the table's alias when it is not a plain column. */
export type Attribute = ColumnType | { type: ColumnType; sql: (alias: string) => string };

/** Another table that `prefix_` leads to, joined by a condition between the two aliases. */
export interface Association {
  table: string;
  on: (parent: string, child: string) => string;
  attributes: Record<string, Attribute>;
  /** As in a search definition: to anybody but admins they do not exist. */
  adminAttributes?: Record<string, Attribute>;
  associations?: Record<string, Association>;
}

/**
 * Everything `q[...]` may name for one resource (behaviour reference 3.6). What is not here never reaches SQL.
 * Names in here are ours; only values come from clients.
 */
export interface SearchDefinition {
  table: string;
  attributes: Record<string, Attribute>;
  /** Attributes only admins may search; to others they do not exist. */
  adminAttributes?: Record<string, Attribute>;
  associations?: Record<string, Association>;
  /** Other names of attributes, spelled as paths: `{ sku: 'master_sku' }`. */
  aliases?: Record<string, string>;
  /** ORDER BY terms used when `q[s]` names nothing valid; `id` ascending is always added. */
  baseOrder: readonly string[];
  /** Page size when the client names none; 25 unless told. */
  perPage?: number;
}

/** An attribute found by name: the associations to walk from the root table, then the column. */
export interface ResolvedAttribute {
  path: readonly Association[];
  /** The names walked, joined; equal keys mean the same joined row. */
  pathKey: string;
  type: ColumnType;
  sql: (alias: string) => string;
}

/** Finds `name`, or null when nothing searchable is called so. The longest association prefix is tried first. */
export function resolveAttribute(
  search: SearchDefinition,
  name: string,
  admin: boolean,
): ResolvedAttribute | null {
  const own = Object.hasOwn(search.aliases ?? {}, name) ? search.aliases?.[name] : undefined;
  return resolveIn(search, own ?? name, { admin, walked: [] });
}

type Searchable = Pick<Association, 'attributes' | 'adminAttributes' | 'associations'>;

interface Way {
  admin: boolean;
  walked: readonly { key: string; association: Association }[];
}

function resolveIn(from: Searchable, name: string, { admin, walked }: Way): ResolvedAttribute | null {
  const { associations = {} } = from;
  const attributes = admin ? { ...from.attributes, ...from.adminAttributes } : from.attributes;
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (attribute !== undefined) {
    return {
      path: walked.map((step) => step.association),
      pathKey: walked.map((step) => step.key).join('.'),
      ...(typeof attribute === 'string'
        ? { type: attribute, sql: (alias) => `${alias}.${name}` }
        : attribute),
    };
  }
  const prefixes = Object.keys(associations)
    .filter((prefix) => name.startsWith(`${prefix}_`))
    .sort((a, b) => b.length - a.length);
  for (const prefix of prefixes) {
    const association = associations[prefix];
    if (association === undefined) continue;
    const found = resolveIn(association, name.slice(prefix.length + 1), {
      admin,
      walked: [...walked, { key: prefix, association }],
    });
    if (found !== null) return found;
  }
  return null;
}
