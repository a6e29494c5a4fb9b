import { buildSignInAuthor } from '../access/authors';
import type { Ctx } from '../access/context';
import { findUser, hasStaffRole } from './users/users.repository';

/** Returns the context with the user as the author of its changes if they are staff; else the context as it is. */
export async function nameSignInAuthor(ctx: Ctx, userId: number): Promise<Ctx> {
  if (!(await hasStaffRole(ctx.db, userId))) return ctx;
  const user = await findUser(ctx.db, userId);
  return user === undefined ? ctx : { ...ctx, author: buildSignInAuthor(user, ctx) };
}
