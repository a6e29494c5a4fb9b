import type { LockedId } from '../../platform/database/locked';
import type { Tx } from '../../platform/database/transaction';
import { createRecords } from '../../platform/resource/records';
import { Role } from './roles.definition';

export const roleRecords = createRecords(Role);

/** Returns whether any user has the role. The lock keeps others from getting it. */
export async function hasUsers(tx: Tx, { id }: LockedId): Promise<boolean> {
  const found = await tx('user_roles')
    .where({ role_id: id })
    .first<{ user_id: number } | undefined>('user_id');
  return found !== undefined;
}
