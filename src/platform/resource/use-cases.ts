import type { Db } from '../database/knex';
import { withTransaction } from '../database/transaction';
import type { ListQuery } from '../query-builder/list-query';
import type { Page } from '../query-builder/page';
import type { Attributes, Changes, Fields, Resource, Row, RowOf, Values } from './definition';
import type { Records } from './records';

/** The part of a request's context that use cases need. */
interface Context {
  db: Db;
  now: () => Date;
}

/** The use cases of a conventional resource. `Key` identifies a record in paths. */
export interface UseCases<Ctx, F extends Fields, Shown = Row<F>, Key = number> {
  list: (ctx: Ctx, list: ListQuery) => Promise<Page<Shown>>;
  /** @throws NotFound */
  get: (ctx: Ctx, key: Key) => Promise<Shown>;
  /** @throws InvalidResource */
  create: (ctx: Ctx, attributes: Attributes<F>) => Promise<Shown>;
  /** @throws NotFound, InvalidResource */
  update: (ctx: Ctx, key: Key, changes: Changes<F>) => Promise<Shown>;
  /** @throws NotFound, InvalidResource */
  delete: (ctx: Ctx, key: Key) => Promise<void>;
}

/** Creates the use cases of a resource without special rules. Resources with rules replace some of them. */
export function createUseCases<F extends Fields>(
  definition: Resource<string, F>,
  rows: Records<F>,
): UseCases<Context, F> {
  return {
    list: (ctx, list) => rows.findPage(ctx.db, list),
    get: (ctx, id) => rows.get(ctx.db, id),
    create: (ctx, attributes) =>
      withTransaction(ctx, async (tx) => {
        // Resources with `assigned` columns replace `create`, because these columns have no value here.
        const values = definition.newValues(attributes) as Values<F>;
        return rows.get(tx, await rows.insert(tx, values));
      }),
    update: (ctx, id, changes) =>
      withTransaction(ctx, async (tx) => {
        await rows.get(tx, id);
        await rows.update(tx, id, definition.changedValues(changes));
        return rows.get(tx, id);
      }),
    delete: (ctx, id) => withTransaction(ctx, (tx) => rows.delete(tx, id, ctx.now())),
  };
}

/** The use cases of a definition. */
export type UseCasesOf<Ctx, R, Shown = RowOf<R>, Key = number> =
  R extends Resource<string, infer F> ? UseCases<Ctx, F, Shown, Key> : never;
