import { BAGS } from './bags';
import { CLOTHING } from './clothing';
import { HOME } from './home';
import { KITCHEN } from './kitchen';
import { OUTDOOR } from './outdoor';
import type { ProductContent } from './product-content';
import { STATIONERY } from './stationery';

/** All products of the demo store, in the order of their ids. */
export const CATALOGUE: readonly ProductContent[] = [
  ...CLOTHING,
  ...KITCHEN,
  ...BAGS,
  ...STATIONERY,
  ...HOME,
  ...OUTDOOR,
];
