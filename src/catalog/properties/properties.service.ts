import type { Ctx } from '../../access/context';
import { requireFound } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { withTransaction } from '../../platform/database/transaction';
import type { IdOrName } from '../../platform/http/path-parameters';
import { createUseCases, type UseCasesOf } from '../../platform/resource/use-cases';
import { Property, type PropertyRow } from './properties.definition';
import { findProperty, propertyRecords as rows } from './properties.repository';

const plain = createUseCases(Property, rows);

/** The use cases of properties; paths identify a property by id or name. */
export const properties: UseCasesOf<Ctx, typeof Property, PropertyRow, IdOrName> = {
  list: plain.list,
  create: plain.create,
  get: (ctx, named) => getProperty(ctx.db, named),
  update: (ctx, named, changes) =>
    withTransaction(ctx, async (tx) => {
      const { id } = await getProperty(tx, named);
      await rows.update(tx, id, Property.changedValues(changes));
      return rows.get(tx, id);
    }),
  delete: (ctx, named) =>
    withTransaction(ctx, async (tx) => rows.delete(tx, (await getProperty(tx, named)).id, ctx.now())),
};

async function getProperty(db: Db, named: IdOrName): Promise<PropertyRow> {
  return requireFound(await findProperty(db, named));
}
