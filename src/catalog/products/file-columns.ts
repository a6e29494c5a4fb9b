import type { ProductColumns } from '../product-queries/products.definition';

/** The columns of a product that files read and write. A new column is given a kind below, or left out here. */
export type FileColumns = Omit<ProductColumns, 'metadata' | 'public_metadata'>;

/** `text` and `time` are cells as they are, null if empty. The others have rules of their own. */
const KINDS = {
  name: 'name',
  description: 'text',
  available_on: 'time',
  discontinue_on: 'time',
  meta_title: 'text',
  meta_description: 'text',
  meta_keywords: 'text',
  shipping_category_id: 'reference',
  tax_category_id: 'reference',
} as const satisfies Record<keyof FileColumns, 'name' | 'text' | 'time' | 'reference'>;

type Kinds = typeof KINDS;
type OfKind<Kind> = { [K in keyof Kinds]: Kinds[K] extends Kind ? K : never }[keyof Kinds];

export type TextColumn = OfKind<'text'>;
export type TimeColumn = OfKind<'time'>;

// Object.keys loses the type of the keys.
export const FILE_COLUMNS = Object.keys(KINDS) as (keyof Kinds)[];
export const TEXT_COLUMNS = FILE_COLUMNS.filter((name): name is TextColumn => KINDS[name] === 'text');
export const TIME_COLUMNS = FILE_COLUMNS.filter((name): name is TimeColumn => KINDS[name] === 'time');
