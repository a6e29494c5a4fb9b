import type { Ctx } from '../../access/context';
import { BLANK, INVALID, InvalidResource, NotFound } from '../../platform/errors';
import { isBlank } from '../../platform/blank';
import type { Tx } from '../../platform/database/transaction';
import { withTransaction } from '../../platform/database/transaction';
import { omitUndefined } from '../../platform/omit-undefined';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import { appendPositions } from '../append-positions';
import {
  deleteOptionValue,
  deleteOptionValues,
  findLastPosition,
  findOptionValue,
  findOptionValueIdsOfType,
  findOptionValuePage,
  hasOptionType,
  insertOptionValue,
  insertOptionValues,
  updateOptionValue,
  updateOptionValues,
  type OptionValueRow,
} from './option-values.repository';
import type { OptionValueAttributes, OptionValueChanges, OptionValueRowInput } from './option-values.schema';

/** @throws NotFound if the option type does not exist */
export async function requireOptionType(ctx: Ctx, id: number): Promise<void> {
  if (!(await hasOptionType(ctx.db, id))) throw new NotFound();
}

/** Returns one page of the values of an option type, or of all types for null. */
export async function listOptionValues(
  ctx: Ctx,
  list: ListQuery,
  optionTypeId: number | null,
): Promise<Page<OptionValueRow>> {
  return findOptionValuePage(ctx.db, list, optionTypeId);
}

/** Returns an option value. @throws NotFound also if it belongs to another type than the given one */
export async function getOptionValue(
  ctx: Ctx,
  id: number,
  optionTypeId: number | null,
): Promise<OptionValueRow> {
  return getRow(ctx.db, id, optionTypeId);
}

async function getRow(db: Ctx['db'], id: number, optionTypeId: number | null): Promise<OptionValueRow> {
  const value = await findOptionValue(db, id, optionTypeId);
  if (value === undefined) throw new NotFound();
  return value;
}

/**
 * Creates a value of a type, or a value without a type for null. Appends it unless a position is given.
 * @throws InvalidResource if the type does not exist or has a value of that name
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
    return getRow(tx, id, null);
  });
}

/** Updates an option value. @throws NotFound, InvalidResource */
export async function changeOptionValue(
  ctx: Ctx,
  target: { id: number; option_type_id: number | null },
  changes: OptionValueChanges,
): Promise<OptionValueRow> {
  return withTransaction(ctx, async (tx) => {
    const value = await getRow(tx, target.id, target.option_type_id);
    await updateOptionValue(tx, value.id, {
      ...omitUndefined({
        name: changes.name,
        presentation: changes.presentation,
        option_type_id: changes.option_type_id,
      }),
      ...(changes.position != null && { position: changes.position }),
    });
    return getRow(tx, value.id, null);
  });
}

/** Deletes an option value; its variants lose it. @throws NotFound */
export async function removeOptionValue(ctx: Ctx, id: number, optionTypeId: number | null): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const value = await getRow(tx, id, optionTypeId);
    await deleteOptionValue(tx, value.id);
  });
}

/**
 * Applies the `option_values_attributes` of an option type, in the transaction that writes the type: first deletions,
 * then updates, then new values. Blank rows are skipped. Of several rows with one id, later attributes win. Takes a
 * constant number of statements.
 * @throws InvalidResource also for the id of a value of another type
 */
export async function applyOptionValueRows(
  tx: Tx,
  optionTypeId: number,
  rows: readonly OptionValueRowInput[],
): Promise<void> {
  const byId = new Map<number, OptionValueRowInput>();
  for (const row of rows) if (row.id != null) byId.set(row.id, { ...byId.get(row.id), ...row });
  const additions = readAdditions(rows.filter((row) => row.id == null));
  if (byId.size > 0) await changeRows(tx, optionTypeId, byId);
  if (additions.length === 0) return;
  const placed = appendPositions(additions, await findLastPosition(tx, optionTypeId));
  await insertOptionValues(tx, optionTypeId, placed);
}

async function changeRows(
  tx: Tx,
  optionTypeId: number,
  rows: ReadonlyMap<number, OptionValueRowInput>,
): Promise<void> {
  const existing = await findOptionValueIdsOfType(tx, optionTypeId, [...rows.keys()]);
  if (existing.length < rows.size) throw new InvalidResource({ option_values: [INVALID] });
  const entries = [...rows];
  const removed = entries.filter(([, row]) => row._destroy === true).map(([id]) => id);
  const changes = entries.flatMap(([id, row]) =>
    row._destroy === true ? [] : [{ id, patch: readPatch(row) }],
  );
  if (removed.length > 0) await deleteOptionValues(tx, removed);
  if (changes.length > 0) await updateOptionValues(tx, changes);
}

/** Returns the new values among the rows. @throws InvalidResource for a row with a blank name or presentation */
function readAdditions(
  rows: readonly OptionValueRowInput[],
): { name: string; presentation: string; position: number | null | undefined }[] {
  return rows.flatMap(({ name, presentation, position, _destroy }) => {
    if (_destroy === true || (isBlank(name) && isBlank(presentation))) return [];
    if (isBlank(name)) throw new InvalidResource({ 'option_values.name': [BLANK] });
    if (isBlank(presentation)) {
      throw new InvalidResource({ 'option_values.presentation': [BLANK] });
    }
    return [{ name, presentation, position }];
  });
}

function readPatch(row: OptionValueRowInput) {
  return {
    ...(isBlank(row.name) ? {} : { name: row.name }),
    ...(isBlank(row.presentation) ? {} : { presentation: row.presentation }),
    ...(row.position == null ? {} : { position: row.position }),
  };
}
