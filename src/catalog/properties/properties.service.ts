import type { Ctx } from '../../access/context';
import { NotFound } from '../../platform/errors';
import type { Db } from '../../platform/database/knex';
import { withTransaction } from '../../platform/database/transaction';
import { defined } from '../../platform/defined';
import type { IdOrName } from '../../platform/http/path-parameters';
import type { ListQuery } from '../../platform/query-builder/list-query';
import type { Page } from '../../platform/query-builder/page';
import {
  deleteProperty,
  findProperty,
  findPropertyPage,
  insertProperty,
  updateProperty,
  type PropertyRow,
} from './properties.repository';
import type { PropertyAttributes, PropertyChanges } from './properties.schema';

/** One page of properties. */
export async function listProperties(ctx: Ctx, list: ListQuery): Promise<Page<PropertyRow>> {
  return findPropertyPage(ctx.db, list);
}

/** The property of that id, else of that exact name. @throws NotFound */
export async function getProperty(ctx: Ctx, named: IdOrName): Promise<PropertyRow> {
  return mustFind(ctx.db, named);
}

async function mustFind(db: Db, named: IdOrName): Promise<PropertyRow> {
  const property = await findProperty(db, named);
  if (property === undefined) throw new NotFound();
  return property;
}

/** @throws InvalidResource when the name is taken */
export async function createProperty(ctx: Ctx, attributes: PropertyAttributes): Promise<PropertyRow> {
  return withTransaction(ctx, async (tx) => insertProperty(tx, attributes));
}

/** @throws NotFound, InvalidResource */
export async function changeProperty(
  ctx: Ctx,
  named: IdOrName,
  changes: PropertyChanges,
): Promise<PropertyRow> {
  return withTransaction(ctx, async (tx) => {
    const { id } = await mustFind(tx, named);
    await updateProperty(tx, id, defined({ name: changes.name, presentation: changes.presentation }));
    return mustFind(tx, { ...named, id });
  });
}

/** Removes the property, and the value each product has of it. @throws NotFound */
export async function removeProperty(ctx: Ctx, named: IdOrName): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const { id } = await mustFind(tx, named);
    await deleteProperty(tx, id);
  });
}
