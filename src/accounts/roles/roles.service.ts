import type { Ctx } from '../../access/context';
import { withTransaction } from '../../platform/database/transaction';
import { INVALID, InvalidResource } from '../../platform/errors';
import { createUseCases, type UseCasesOf } from '../../platform/resource/use-cases';
import { Role, type RoleRow } from './roles.definition';
import { hasUsers, roleRecords as rows } from './roles.repository';

/** The roles that the program itself relies on. */
const FIXED = new Set(['admin', 'customer']);

const { list, get, create } = createUseCases(Role, rows);

/** The use cases of roles. New scopes of a role apply to its users from their next request on. */
export const roles: UseCasesOf<Ctx, typeof Role> = {
  list,
  get,

  create: async (ctx, attributes) => {
    checkName(attributes.name);
    return create(ctx, attributes);
  },

  /** Updates a role and locks it. `admin` and `customer` cannot be changed. */
  update: (ctx, id, changes) =>
    withTransaction(ctx, async (tx) => {
      refuseFixed(await rows.lock(tx, id));
      if (changes.name !== undefined) checkName(changes.name);
      await rows.update(tx, id, Role.changedValues(changes));
      return rows.get(tx, id);
    }),

  /** Deletes a role and locks it. Refused while a user has it. */
  delete: (ctx, id) =>
    withTransaction(ctx, async (tx) => {
      const role = await rows.lock(tx, id);
      refuseFixed(role);
      if (await hasUsers(tx, role)) throw new InvalidResource({ base: ['The role is used by users'] });
      await rows.delete(tx, id, ctx.now());
    }),
};

function refuseFixed({ name }: RoleRow): void {
  if (FIXED.has(name)) throw new InvalidResource({ base: [`The role ${name} cannot be changed`] });
}

/** Refuses commas, which separate the names of roles in forms. */
function checkName(name: string): void {
  if (name.includes(',')) throw new InvalidResource({ name: [INVALID] });
}
