import type { FieldErrors } from '../../platform/errors';
import type { VariantColumns } from '../variants/variants.definition';
import type { FileColumns } from './file-columns';
import type { NamedOption } from './list-cells';
import type { ProductRow } from './product-cells.schema';
import type { ProductRecord } from './product-rows.repository';

/** The columns of a product; the shipping category is a name until it is found or created. */
export type PlannedColumns = Partial<Omit<FileColumns, 'shipping_category_id'>> & {
  shipping_category?: string;
};

/** A product to create or to change. */
export interface PlannedProduct {
  /** Null until it is created. */
  id: number | null;
  slug: string;
  columns: PlannedColumns;
  taxons: { added: number[]; removed: number[] };
  variants: PlannedVariant[];
  /** Whether a product that existed gets its variants stocked instead of its master. */
  gainsVariants: boolean;
}

/** A variant to create or to change. */
export interface PlannedVariant {
  /** Null until it is created. */
  id: number | null;
  is_master: boolean;
  /** Of a new variant. */
  position: number;
  columns: Partial<VariantColumns>;
  price: string | undefined;
  /** Replace those of the variant. */
  options: NamedOption[] | undefined;
  backorderable: boolean;
}

/** What became of a row of the group. */
export type PlannedRow = { variant: PlannedVariant; isChanged: boolean } | { errors: FieldErrors };

/** The rows of one product, and its current variants; none for a new product. */
export interface ProductGroup {
  slug: string;
  records: readonly ProductRecord[];
  rows: readonly ProductRow[];
}

/** Returns whether a cell or a value is blank. */
export const isEmpty = (value: unknown): value is null | undefined | '' =>
  value === undefined || value === null || value === '';

/** Returns whether two lists of distinct texts have the same texts. */
export function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((entry) => other.includes(entry));
}
