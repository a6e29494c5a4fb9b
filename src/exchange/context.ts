export type { Ctx, Deps } from '../sales/context';
