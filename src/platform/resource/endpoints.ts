import { z } from 'zod';
import { AttributeListJson } from '../http/attribute-list';
import { endpoint, type Router } from '../http/endpoint';
import { PathId } from '../http/path-parameters';
import type { ReplySource } from '../http/reply-cache';
import { mapPage } from '../query-builder/page';
import type { Fields, Json, Resource } from './definition';
import type { UseCases } from './use-cases';

type Action = 'list' | 'new' | 'show' | 'create' | 'update' | 'delete';

interface Conventional<Ctx, Access, Name extends string, F extends Fields, Shown, Key> {
  definition: Resource<Name, F>;
  useCases: UseCases<Ctx, F, Shown, Key>;
  serialize: (shown: Shown) => Json<F>;
  /** `read` applies to the list, `/new` and the record, `write` to create, update and delete. */
  access: { read: Access; write: Access };
  /** Default to `List tax categories`, `Get a tax category`, `Create a tax category` and the like. */
  summaries: Partial<Record<Action, string>>;
  descriptions?: Partial<Record<Action, string>>;
  /** The schema of `:id`; defaults to an id. */
  id?: z.ZodType<Key>;
  /** Caches the replies of the list and the record. */
  cache?: ReplySource<Ctx>;
  private?: true;
  /** The list is a bare array. */
  bare?: true;
  /** Parameters of the list. */
  query?: z.ZodObject;
  /** Endpoints that the resource declares itself. */
  without?: 'list';
}

/**
 * Declares the conventional endpoints of a resource: list, `/new`, show, create, update (PUT and PATCH) and delete.
 * Their path is the name of the table.
 */
export function declareEndpoints<
  Ctx,
  Access extends string,
  Name extends string,
  F extends Fields,
  Shown,
  Key = number,
>(
  router: Router<Ctx, Access>,
  options: Conventional<NoInfer<Ctx>, NoInfer<Access>, Name, F, Shown, Key>,
): void {
  const { definition, useCases, serialize, access, cache, query } = options;
  const { table, name, Create, Update, search, attributeList } = definition;
  const reply: z.ZodType = definition.Json;
  const params = z.object({ id: options.id ?? PathId });
  const keyOf = (path: { id: unknown }): Key => path.id as Key; // validated by the schema of `id`
  const texts = (action: Action) => ({
    summary: options.summaries[action] ?? buildSummary(action, definition),
    description: options.descriptions?.[action] ?? DESCRIPTIONS[action],
  });
  const shared = { ...(options.private && { private: true as const }) };
  const read = { access: access.read, ...shared, ...(cache && { cache }) };
  const write = { access: access.write, ...shared };

  if (options.without !== 'list') {
    endpoint(router, `get /${table}`, {
      ...read,
      ...texts('list'),
      ...(query && { query }),
      search,
      paged: { key: table, item: reply, ...(options.bare && { bare: true }) },
      handle: async (ctx, { list }) => mapPage(await useCases.list(ctx, list), (row) => serialize(row)),
    });
  }
  endpoint(router, `get /${table}/new`, {
    access: access.read,
    ...texts('new'),
    reply: AttributeListJson,
    handle: () => Promise.resolve(attributeList),
  });
  endpoint(router, `get /${table}/:id`, {
    ...read,
    ...texts('show'),
    params,
    reply,
    handle: async (ctx, { params: path }) => serialize(await useCases.get(ctx, keyOf(path))),
  });
  endpoint(router, `post /${table}`, {
    ...write,
    ...texts('create'),
    input: Create,
    status: 201,
    reply,
    handle: async (ctx, { input }) => serialize(await useCases.create(ctx, input[name])),
  });
  endpoint(router, `put /${table}/:id`, {
    ...write,
    ...texts('update'),
    params,
    input: Update,
    subject: (ctx, path) => useCases.get(ctx, keyOf(path)),
    reply,
    handle: async (ctx, { params: path, input }) =>
      serialize(await useCases.update(ctx, keyOf(path), input[name])),
  });
  endpoint(router, `delete /${table}/:id`, {
    access: access.write,
    ...texts('delete'),
    params,
    status: 204,
    handle: (ctx, { params: path }) => useCases.delete(ctx, keyOf(path)),
  });
}

/** What the endpoints of every resource have in common. */
const DESCRIPTIONS: Record<Action, string> = {
  list: 'Returns one page. Filter and sort with `q`.',
  new: 'Returns the names of the attributes, for example to build a form.',
  show: 'Returns the record.',
  create: 'Creates the record and returns it. Omitted attributes have their default.',
  update: 'Returns the updated record. Omitted attributes keep their value; null clears an optional one.',
  delete: 'Deletes the record. A second request returns 404.',
};

function buildSummary(action: Action, { name, table }: { name: string; table: string }): string {
  const noun = name.replaceAll('_', ' ');
  const one = `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
  if (action === 'list') return `List ${table.replaceAll('_', ' ')}`;
  if (action === 'new') return `Attributes of ${one}; required ones are marked`;
  if (action === 'show') return `Get ${one}`;
  return `${action.charAt(0).toUpperCase()}${action.slice(1)} ${one}`;
}
