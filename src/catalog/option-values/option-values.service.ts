import type { Ctx } from '../../access/context';
import { withPrefixedErrors } from '../../errors/constraint-errors';
import { BLANK, INVALID, InvalidResource, NotFound } from '../../platform/errors';
import { isBlank } from '../../platform/blank';
import { freeValues } from '../../platform/database/free-values';
import type { Tx } from '../../platform/database/transaction';
import { withTransaction } from '../../platform/database/transaction';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import type { AttributesOf, ChangesOf } from '../../platform/resource/definition';
import {
  appendPositions,
  lockPositions,
  separatePositions,
  type PositionedList,
} from '../append-positions.repository';
import { OptionValue, type OptionValueRow, type OptionValueRowInput } from './option-values.definition';
import {
  deleteOptionValues,
  findLastPosition,
  findOptionValueIdsOfType,
  hasOptionType,
  hasVariants,
  insertOptionValues,
  lockProductsWithValues,
  optionValueRecords as rows,
} from './option-values.repository';

const IN_USE = 'cannot be changed while variants have this value';

/** @throws NotFound if the option type does not exist */
export async function requireOptionType(ctx: Ctx, id: number): Promise<void> {
  if (!(await hasOptionType(ctx.db, id))) throw new NotFound();
}

/** Returns one page of the values of an option type, or of all types for null: all of them unless a page is requested. */
export async function listOptionValues(
  ctx: Ctx,
  list: ListQuery,
  optionTypeId: number | null,
): Promise<Page<OptionValueRow>> {
  return rows.findPageOrAll(ctx.db, list, ofType(optionTypeId));
}

/** Returns an option value. @throws NotFound also if it belongs to another type than the given one */
export async function getOptionValue(
  ctx: Ctx,
  id: number,
  optionTypeId: number | null,
): Promise<OptionValueRow> {
  return rows.get(ctx.db, id, ofType(optionTypeId));
}

/** What the values of a type have in common; nothing for all values. */
const ofType = (option_type_id: number | null) => (option_type_id === null ? {} : { option_type_id });

/**
 * Creates a value of a type, or a value without a type for null. Appends it unless a position is given.
 * @throws InvalidResource if the type does not exist or has a value of that name
 */
export async function createOptionValue(
  ctx: Ctx,
  attributes: AttributesOf<typeof OptionValue>,
  optionTypeId: number | null,
): Promise<OptionValueRow> {
  return withTransaction(ctx, async (tx) => {
    const values = buildList(optionTypeId);
    await lockPositions(tx, values);
    const id = await rows.append(tx, OptionValue.newValues(attributes), { option_type_id: optionTypeId });
    await separatePositions(tx, values, [id]);
    return rows.get(tx, id);
  });
}

/**
 * Updates an option value. Its type is fixed while variants have it: a variant has one value of each of its types, and
 * its product names these types.
 * @throws NotFound, InvalidResource
 */
export async function updateOptionValue(
  ctx: Ctx,
  target: { id: number; option_type_id: number | null },
  changes: ChangesOf<typeof OptionValue>,
): Promise<OptionValueRow> {
  return withTransaction(ctx, async (tx) => {
    const value = await rows.get(tx, target.id, ofType(target.option_type_id));
    const values = buildList(
      changes.option_type_id === undefined ? value.option_type_id : changes.option_type_id,
    );
    const isMoved = values.parent_id !== value.option_type_id;
    const isPlaced = changes.position != null || isMoved;
    if (isPlaced) await lockPositions(tx, values);
    await rows.update(tx, value.id, OptionValue.changedValues(changes));
    // After the update, whose lock variants that get the value wait for.
    if (isMoved && (await hasVariants(tx, value.id))) throw new InvalidResource({ option_type_id: [IN_USE] });
    if (isPlaced) await separatePositions(tx, values, [value.id]);
    return rows.get(tx, value.id);
  });
}

/** Deletes an option value; its variants lose it. Locks their products. @throws NotFound */
export async function deleteOptionValue(ctx: Ctx, id: number, optionTypeId: number | null): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const value = await rows.get(tx, id, ofType(optionTypeId));
    await lockProductsWithValues(tx, [value.id]);
    await rows.delete(tx, value.id, ctx.now());
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
  inputs: readonly OptionValueRowInput[],
): Promise<void> {
  const byId = new Map<number, OptionValueRowInput>();
  for (const row of inputs) if (row.id != null) byId.set(row.id, { ...byId.get(row.id), ...row });
  const additions = readAdditions(inputs.filter((row) => row.id == null));
  if (byId.size === 0 && additions.length === 0) return;
  const values = buildList(optionTypeId);
  await lockPositions(tx, values);
  if (byId.size > 0) await updateRows(tx, optionTypeId, byId);
  if (additions.length > 0) {
    const placed = appendPositions(additions, await findLastPosition(tx, optionTypeId));
    await withPrefixedErrors('option_values', () => insertOptionValues(tx, optionTypeId, placed));
  }
  await separatePositions(tx, values, [...byId.keys()]);
}

function buildList(optionTypeId: number | null): PositionedList {
  return { table: 'option_values', parent_id: optionTypeId };
}

async function updateRows(
  tx: Tx,
  optionTypeId: number,
  inputs: ReadonlyMap<number, OptionValueRowInput>,
): Promise<void> {
  const existing = await findOptionValueIdsOfType(tx, optionTypeId, [...inputs.keys()]);
  if (existing.length < inputs.size) throw new InvalidResource({ option_values: [INVALID] });
  const entries = [...inputs];
  const removed = entries.filter(([, row]) => row._destroy === true).map(([id]) => id);
  const changes = entries.flatMap(([id, row]) =>
    row._destroy === true ? [] : [{ id, columns: readColumns(row) }],
  );
  if (removed.length > 0) {
    await lockProductsWithValues(tx, removed);
    await deleteOptionValues(tx, removed);
  }
  await freeValues(tx, { table: 'option_values', column: 'name' }, changes);
  await withPrefixedErrors('option_values', () => rows.updateEach(tx, changes));
}

/** Returns the new values among the rows. @throws InvalidResource for a row with a blank name or presentation */
function readAdditions(
  inputs: readonly OptionValueRowInput[],
): { name: string; presentation: string; position: number | null | undefined }[] {
  return inputs.flatMap(({ name, presentation, position, _destroy }) => {
    if (_destroy === true || (isBlank(name) && isBlank(presentation))) return [];
    if (isBlank(name)) throw new InvalidResource({ 'option_values.name': [BLANK] });
    if (isBlank(presentation)) {
      throw new InvalidResource({ 'option_values.presentation': [BLANK] });
    }
    return [{ name, presentation, position }];
  });
}

function readColumns(row: OptionValueRowInput) {
  return {
    ...(isBlank(row.name) ? {} : { name: row.name }),
    ...(isBlank(row.presentation) ? {} : { presentation: row.presentation }),
    ...(row.position == null ? {} : { position: row.position }),
  };
}
