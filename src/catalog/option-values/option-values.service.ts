import type { Ctx } from '../../context';
import { InvalidResource, NotFound } from '../../errors';
import { isBlank } from '../../platform/blank';
import type { Tx } from '../../platform/database/transaction';
import { withTransaction } from '../../platform/database/transaction';
import { defined } from '../../platform/defined';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import {
  deleteOptionValue,
  findOptionValue,
  findOptionValuePage,
  insertOptionValue,
  updateOptionValue,
  type OptionValueRow,
} from './option-values.repository';
import type { OptionValueAttributes, OptionValueChanges, OptionValueRowInput } from './option-values.schema';

/** Values of one option type, or (null) of all. */
export async function listOptionValues(
  ctx: Ctx,
  list: ListQuery,
  optionTypeId: number | null,
): Promise<Page<OptionValueRow>> {
  return findOptionValuePage(ctx.db, list, optionTypeId);
}

/** @throws NotFound also when the value belongs to another type than the one named */
export async function getOptionValue(
  ctx: Ctx,
  id: number,
  optionTypeId: number | null,
): Promise<OptionValueRow> {
  return mustFind(ctx.db, id, optionTypeId);
}

async function mustFind(db: Ctx['db'], id: number, optionTypeId: number | null): Promise<OptionValueRow> {
  const value = await findOptionValue(db, id, optionTypeId);
  if (value === undefined) throw new NotFound();
  return value;
}

/**
 * Makes a value of a type, or (null) a loose one. Appended to its type unless a position is given.
 * @throws InvalidResource when the type has a value of that name, or does not exist
 */
export async function createOptionValue(
  ctx: Ctx,
  attributes: OptionValueAttributes,
  optionTypeId: number | null,
): Promise<OptionValueRow> {
  return withTransaction(ctx, async (tx) => {
    const id = await insertOptionValue(tx, {
      option_type_id: optionTypeId,
      name: attributes.name,
      presentation: attributes.presentation,
      position: attributes.position,
    });
    return mustFind(tx, id, null);
  });
}

/** @throws NotFound, InvalidResource */
export async function changeOptionValue(
  ctx: Ctx,
  target: { id: number; option_type_id: number | null },
  changes: OptionValueChanges,
): Promise<OptionValueRow> {
  return withTransaction(ctx, async (tx) => {
    const value = await mustFind(tx, target.id, target.option_type_id);
    await updateOptionValue(tx, value.id, {
      ...defined({
        name: changes.name,
        presentation: changes.presentation,
        option_type_id: changes.option_type_id,
      }),
      ...(changes.position != null && { position: changes.position }),
    });
    return mustFind(tx, value.id, null);
  });
}

/** Removes the value; variants that had it stay. @throws NotFound */
export async function removeOptionValue(ctx: Ctx, id: number, optionTypeId: number | null): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const value = await mustFind(tx, id, optionTypeId);
    await deleteOptionValue(tx, value.id);
  });
}

/**
 * Applies the rows an option type's body carries, inside the type's own transaction: blank rows are skipped, rows
 * naming a value of another type are refused.
 * @throws InvalidResource
 */
export async function applyOptionValueRows(
  tx: Tx,
  optionTypeId: number,
  rows: readonly OptionValueRowInput[],
): Promise<void> {
  for (const row of rows) {
    if (row.id != null) {
      const value = await findOptionValue(tx, row.id, optionTypeId);
      if (value === undefined) throw new InvalidResource({ option_values: ['is invalid'] });
      if (row._destroy === true) await deleteOptionValue(tx, value.id);
      else await updateOptionValue(tx, value.id, presentOnly(row));
      continue;
    }
    const { name, presentation, position } = row;
    if (row._destroy === true || (isBlank(name) && isBlank(presentation))) continue;
    if (isBlank(name)) throw new InvalidResource({ 'option_values.name': ["can't be blank"] });
    if (isBlank(presentation))
      throw new InvalidResource({ 'option_values.presentation': ["can't be blank"] });
    await insertOptionValue(tx, { option_type_id: optionTypeId, name, presentation, position });
  }
}

function presentOnly(row: OptionValueRowInput) {
  return {
    ...(isBlank(row.name) ? {} : { name: row.name }),
    ...(isBlank(row.presentation) ? {} : { presentation: row.presentation }),
    ...(row.position == null ? {} : { position: row.position }),
  };
}
