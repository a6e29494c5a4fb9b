import type { z } from 'zod';
import type { Router } from '../http/endpoint';
import { PathId } from '../http/path-parameters';
import type { ReplySource } from '../http/reply-cache';
import type { Fields, Json, Resource } from './definition';
import { declareRecordEndpoints } from './record-endpoints';
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
  const keyOf = (path: { id: unknown }): Key => path.id as Key; // validated by the schema of `id`
  const texts = (action: Action) => ({
    summary: options.summaries[action] ?? buildSummary(action, definition),
    description: options.descriptions?.[action] ?? DESCRIPTIONS[action],
  });

  declareRecordEndpoints(router, `/${table}`, {
    id: options.id ?? PathId,
    access,
    ...(options.private && { private: true }),
    ...(cache && { cache }),
    get: (ctx, params) => useCases.get(ctx, keyOf(params)),
    reply,
    serialize: (shown: Shown) => serialize(shown),
    list:
      options.without === 'list'
        ? undefined
        : {
            ...texts('list'),
            query,
            search,
            ...(options.bare && { bare: true }),
            handle: (ctx, { list }) => useCases.list(ctx, list),
          },
    new: { ...texts('new'), attributes: attributeList },
    show: texts('show'),
    create: {
      ...texts('create'),
      input: Create,
      handle: (ctx, { input }) => useCases.create(ctx, input[name]),
    },
    update: {
      ...texts('update'),
      input: Update,
      handle: (ctx, { params, input }) => useCases.update(ctx, keyOf(params), input[name]),
    },
    delete: { ...texts('delete'), handle: (ctx, { params }) => useCases.delete(ctx, keyOf(params)) },
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
