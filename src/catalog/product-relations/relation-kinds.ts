/** Why a product is shown beside another one. */
export const RELATION_KINDS = ['related', 'up_sell', 'accessory', 'replacement'] as const;

export type RelationKind = (typeof RELATION_KINDS)[number];
