import type { FeedSource } from './feed';

/**
 * The type of a searchable column. Determines how values are read and which predicates exist. A `json` column has only
 * `contains`, and nothing is sorted by it.
 */
export type ColumnType = 'integer' | 'decimal' | 'text' | 'boolean' | 'timestamp' | 'json';

/** A column of the table, or an SQL expression that uses the table's alias. */
export type Attribute = ColumnType | { type: ColumnType; sql: (alias: string) => string };

/** A table that attribute names reach with a prefix. `on` is the join condition between the two aliases. */
export interface Association {
  table: string;
  on: (parent: string, child: string) => string;
  attributes: Record<string, Attribute>;
  /** Attributes that exist only for admins. */
  adminAttributes?: Record<string, Attribute>;
  associations?: Record<string, Association>;
}

/**
 * The attributes that `q[...]` may name for one resource. Other names never reach SQL: clients
 * supply only values.
 */
export interface SearchDefinition {
  table: string;
  attributes: Record<string, Attribute>;
  /** Attributes that exist only for admins. */
  adminAttributes?: Record<string, Attribute>;
  associations?: Record<string, Association>;
  /** Alternative names for attribute paths: `{ sku: 'master_sku' }`. */
  aliases?: Record<string, string>;
  /** Orders by name, for `q[s]` only: most first, unless the request says `asc`. Records without a value come last. */
  orders?: Record<string, (alias: string) => string>;
  /** ORDER BY terms used if `q[s]` is missing or invalid; `id` ascending is always added. */
  baseOrder: readonly string[];
  /** The default page size; defaults to 25. */
  perPage?: number;
  /** How the list is read as a feed; defaults to an index on (`updated_at`, `id`). */
  feed?: FeedSource;
}

/** An attribute found by name: the associations from the root table, then the column. */
export interface ResolvedAttribute {
  path: readonly Association[];
  /** The association names, joined. Equal keys mean the same joined row. */
  pathKey: string;
  type: ColumnType;
  sql: (alias: string) => string;
}

/** Finds the attribute `name`; null if it is not searchable. Tries the longest association prefix first. */
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
