import { hasRow } from '../../platform/database/has-row';
import type { LockedId } from '../../platform/database/locked';
import type { Tx } from '../../platform/database/transaction';
import { createRecords } from '../../platform/resource/records';
import { Role } from './roles.definition';

export const roleRecords = createRecords(Role);

/** Returns whether any user has the role. The lock keeps others from getting it. */
export async function hasUsers(tx: Tx, { id }: LockedId): Promise<boolean> {
  return hasRow(tx('user_roles').where({ role_id: id }).select('user_id'));
}
