import type { Ctx } from '../../access/context';
import type { Db } from '../../platform/database/knex';
import { withTransaction } from '../../platform/database/transaction';
import { groupBy } from '../../platform/group-by';
import { createRecords } from '../../platform/resource/records';
import type { UseCasesOf } from '../../platform/resource/use-cases';
import { findOptionValuesOfTypes, lockProductsWithType } from '../option-values/option-values.repository';
import { lockPositions, separatePositions, type PositionedList } from '../append-positions.repository';
import { applyOptionValueRows } from '../option-values/option-values.service';
import { OptionType, type OptionTypeGraph, type OptionTypeRow } from './option-types.definition';

/** Deleting a type deletes its values and its links to products and variants. */
const rows = createRecords(OptionType);

const LIST: PositionedList = { table: 'option_types', parent_id: null };

export const optionTypes: UseCasesOf<Ctx, typeof OptionType, OptionTypeGraph> = {
  /** Takes a constant number of queries. */
  list: async (ctx, list) => {
    const page = await rows.findPageOrAll(ctx.db, list);
    return { ...page, rows: await loadOptionTypeGraphs(ctx.db, page.rows) };
  },

  get: (ctx, id) => getOptionType(ctx.db, id),

  /** Creates an option type and the values in the body in one transaction. */
  create: (ctx, attributes) =>
    withTransaction(ctx, async (tx) => {
      await lockPositions(tx, LIST);
      const id = await rows.append(tx, OptionType.newValues(attributes));
      await separatePositions(tx, LIST, [id]);
      await applyOptionValueRows(tx, id, attributes.option_values_attributes ?? []);
      return getOptionType(tx, id);
    }),

  update: (ctx, id, changes) =>
    withTransaction(ctx, async (tx) => {
      await rows.get(tx, id);
      if (changes.position != null) await lockPositions(tx, LIST);
      await rows.update(tx, id, OptionType.changedValues(changes));
      if (changes.position != null) await separatePositions(tx, LIST, [id]);
      await applyOptionValueRows(tx, id, changes.option_values_attributes ?? []);
      return getOptionType(tx, id);
    }),

  /** Also deletes the values; products and variants lose them. Locks these products. */
  delete: (ctx, id) =>
    withTransaction(ctx, async (tx) => {
      await lockProductsWithType(tx, id);
      await rows.delete(tx, id, ctx.now());
    }),
};

async function getOptionType(db: Db, id: number): Promise<OptionTypeGraph> {
  const type = await rows.get(db, id);
  return { ...type, option_values: await findOptionValuesOfTypes(db, [id]) };
}

async function loadOptionTypeGraphs(db: Db, types: readonly OptionTypeRow[]): Promise<OptionTypeGraph[]> {
  const values = await findOptionValuesOfTypes(
    db,
    types.map((type) => type.id),
  );
  const byType = groupBy(values, (value) => value.option_type_id);
  return types.map((type) => ({ ...type, option_values: byType.get(type.id) ?? [] }));
}
