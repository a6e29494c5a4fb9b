import { z } from 'zod';
import type { Association, Attribute, ColumnType, SearchDefinition } from '../query-builder/define-search';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE } from '../query-builder/list-query';

/** Builds the query parameters of a list: the page, unless it is a file, and `q` with the attributes of the resource. */
export function buildListParameters(
  search: SearchDefinition,
  { isFeed, isFile }: { isFeed: boolean; isFile: boolean },
): z.ZodRawShape {
  return {
    ...(!isFile && buildPageParameters(search.perPage ?? DEFAULT_PER_PAGE)),
    ...(isFeed && FEED_PARAMETERS),
    q: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({
        description: describeSearch(search),
        'x-attributes': listAttributeTypes(search),
        ...(search.orders !== undefined && { 'x-orders': Object.keys(search.orders) }),
        param: { style: 'deepObject', explode: true, example: buildExampleObject(search) },
      }),
  };
}

function buildPageParameters(perPage: number): z.ZodRawShape {
  return {
    page: z
      .int()
      .min(1)
      .optional()
      .describe('The page number, starting at 1. Pages after the last are empty.'),
    per_page: z
      .int()
      .min(1)
      .max(MAX_PER_PAGE)
      .optional()
      .describe(`Records per page; defaults to ${perPage}, at most ${MAX_PER_PAGE}.`),
  };
}

const FEED_PARAMETERS = {
  cursor: z
    .string()
    .optional()
    .describe(
      'Reads the list as a feed that misses no change: empty to begin, then the `next_cursor` of the last page, also later. Records come by the time of their last change, and come again when they change. `page`, `q[s]` and totals do not apply.',
    ),
  updated_since: z
    .string()
    .optional()
    .meta({
      description:
        'Begins the feed with the changes since this time, in ISO 8601. Ignored with a `next_cursor`.',
      examples: ['2026-03-01T09:30:00.000Z'],
    }),
};

/** Returns the types of all attributes of `q`, for client generators. */
function listAttributeTypes(search: SearchDefinition): Record<string, ColumnType> {
  const types = listTypes(search, '');
  for (const [name, path] of Object.entries(search.aliases ?? {})) {
    const type = types[path];
    if (type !== undefined) types[name] = type;
  }
  return types;
}

function listTypes(from: Searchable, prefix: string): Record<string, ColumnType> {
  const own = Object.entries({ ...from.attributes, ...from.adminAttributes }).map(
    ([name, attribute]) => [`${prefix}${name}`, getType(attribute)] as const,
  );
  const theirs = Object.entries(from.associations ?? {}).flatMap(([name, association]) =>
    Object.entries(listTypes(association, `${prefix}${name}_`)),
  );
  return Object.fromEntries([...own, ...theirs]);
}

/** Describes the attributes for search and sort, from the search definition. */
function describeSearch(search: SearchDefinition): string {
  return [
    'Search and sort: `q[<attribute>_<predicate>]=<value>`, `q[s]=<attribute> asc` or `desc`.',
    buildExample(search),
    'Attributes:',
    '',
    ...buildLines(search, ''),
    ...Object.entries(search.aliases ?? {}).map(([name, path]) => `- \`${name}\`: short for \`${path}\``),
  ].join('\n');
}

/** Builds a condition and a sort that the resource accepts. */
function buildExampleObject(search: SearchDefinition): Record<string, string> {
  const text = Object.entries(search.attributes).find(([, attribute]) => getType(attribute) === 'text')?.[0];
  return text === undefined ? { id_in: '1', s: 'id desc' } : { [`${text}_cont`]: 'a', s: `${text} desc` };
}

function buildExample(search: SearchDefinition): string {
  const pairs = Object.entries(buildExampleObject(search)).map(([name, value]) => `q[${name}]=${value}`);
  return `For example \`${pairs.join('&')}\`, or a JSON object.\n`;
}

type Searchable = Pick<Association, 'attributes' | 'adminAttributes' | 'associations'>;

const TYPES: readonly (readonly [string, readonly ColumnType[]])[] = [
  ['text', ['text']],
  ['number', ['integer', 'decimal']],
  ['time', ['timestamp']],
  ['true or false', ['boolean']],
];

function buildLines(from: Searchable, prefix: string): string[] {
  const own = groupByType(from.attributes);
  const all = Object.entries(from.adminAttributes ?? {});
  const isJson = ([, attribute]: [string, Attribute]) => getType(attribute) === 'json';
  const forAdmins = all.filter((entry) => !isJson(entry)).map(([name]) => name);
  const begin = prefix === '' ? '- ' : `- \`${prefix}\` before `;
  return [
    ...(own === '' ? [] : [`${begin}${own}`]),
    ...(forAdmins.length === 0 ? [] : [`${begin}${formatCode(forAdmins)} (admins only)`]),
    ...all
      .filter(isJson)
      .map(
        ([name]) => `- \`q[${prefix}${name}_contains]={"key":"value"}\`: contains this JSON (admins only)`,
      ),
    ...Object.entries(from.associations ?? {}).flatMap(([name, association]) =>
      buildLines(association, `${prefix}${name}_`),
    ),
  ];
}

function groupByType(attributes: Record<string, Attribute>): string {
  return TYPES.map(([title, types]) => {
    const names = Object.keys(attributes).filter((name) => {
      const attribute = attributes[name];
      return attribute !== undefined && types.includes(getType(attribute));
    });
    return names.length === 0 ? '' : `${formatCode(names)} (${title})`;
  })
    .filter((part) => part !== '')
    .join(', ');
}

function formatCode(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' ');
}

function getType(attribute: Attribute): ColumnType {
  return typeof attribute === 'string' ? attribute : attribute.type;
}
