import type { Ctx } from '../../access/context';
import { NotFound } from '../../platform/errors';
import { withTransaction } from '../../platform/database/transaction';
import { defined } from '../../platform/defined';
import { groupBy } from '../../platform/group-by';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { findOptionValuesOfTypes, type OptionValueRow } from '../option-values/option-values.repository';
import { applyOptionValueRows } from '../option-values/option-values.service';
import {
  deleteOptionType,
  findOptionType,
  findOptionTypePage,
  insertOptionType,
  updateOptionType,
  type OptionTypeRow,
} from './option-types.repository';
import type { OptionTypeAttributes, OptionTypeChanges } from './option-types.schema';

/** An option type with its values, by position. */
export interface OptionTypeGraph extends OptionTypeRow {
  option_values: OptionValueRow[];
}

/** A constant number of queries, whatever the length of the list. */
export async function listOptionTypes(ctx: Ctx, list: ListQuery): Promise<Page<OptionTypeGraph>> {
  const page = await findOptionTypePage(ctx.db, list);
  return { ...page, rows: await withValues(ctx.db, page.rows) };
}

/** @throws NotFound */
export async function getOptionType(ctx: Ctx, id: number): Promise<OptionTypeGraph> {
  return loadOptionType(ctx.db, id);
}

async function loadOptionType(db: Ctx['db'], id: number): Promise<OptionTypeGraph> {
  const type = await findOptionType(db, id);
  const [graph] = await withValues(db, type === undefined ? [] : [type]);
  if (graph === undefined) throw new NotFound();
  return graph;
}

async function withValues(db: Ctx['db'], types: readonly OptionTypeRow[]): Promise<OptionTypeGraph[]> {
  const values = await findOptionValuesOfTypes(
    db,
    types.map((type) => type.id),
  );
  const byType = groupBy(values, (value) => value.option_type_id);
  return types.map((type) => ({ ...type, option_values: byType.get(type.id) ?? [] }));
}

/** Makes an option type and the values its body carries, all or nothing. @throws InvalidResource */
export async function createOptionType(ctx: Ctx, attributes: OptionTypeAttributes): Promise<OptionTypeGraph> {
  return withTransaction(ctx, async (tx) => {
    const { name, presentation, position } = attributes;
    const id = await insertOptionType(tx, { name, presentation, position });
    await applyOptionValueRows(tx, id, attributes.option_values_attributes ?? []);
    return loadOptionType(tx, id);
  });
}

/** @throws NotFound, InvalidResource */
export async function changeOptionType(
  ctx: Ctx,
  id: number,
  changes: OptionTypeChanges,
): Promise<OptionTypeGraph> {
  return withTransaction(ctx, async (tx) => {
    const type = await loadOptionType(tx, id);
    const { name, presentation, position } = changes;
    await updateOptionType(tx, type.id, {
      ...defined({ name, presentation }),
      ...(position != null && { position }),
    });
    await applyOptionValueRows(tx, type.id, changes.option_values_attributes ?? []);
    return loadOptionType(tx, type.id);
  });
}

/** Removes the type with its values; products and variants stay and lose them. @throws NotFound */
export async function removeOptionType(ctx: Ctx, id: number): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    if ((await deleteOptionType(tx, id)) === 0) throw new NotFound();
  });
}
