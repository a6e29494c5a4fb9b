/** The kind of an attribute; it determines the available predicates. */
type Kind = 'text' | 'number' | 'time' | 'flag';

/** The value of a condition. Times are ISO 8601 strings or `Date` objects. */
export type SearchValue = Scalar | readonly Scalar[] | null | undefined;

type Scalar = string | number | boolean | Date;

/** The values that an attribute of each kind is compared with. Pass decimals as strings to keep them exact. */
interface Values {
  text: string;
  number: number | string;
  time: string | Date;
  flag: boolean;
}

type Comparison = 'eq' | 'not_eq' | 'lt' | 'lteq' | 'gt' | 'gteq';

type TextMatch = 'cont' | 'not_cont' | 'start' | 'not_start' | 'end' | 'not_end' | 'matches';

type Switch = 'null' | 'not_null' | 'present' | 'blank';

type Several = 'any' | 'all';

type Name<Attributes> = keyof Attributes & string;

type FlagOf<Attributes> = {
  [K in keyof Attributes]: Attributes[K] extends 'flag' ? K : never;
}[keyof Attributes] &
  string;

type Sort<Attributes> = Name<Attributes> | `${Name<Attributes>} ${'asc' | 'desc'}`;

/**
 * The conditions that `q` of one list accepts, derived from its searchable attributes. Conditions on several attributes
 * (`name_or_sku_cont`) are checked by their pattern only.
 */
export type Search<Attributes extends Record<string, Kind>> = {
  [K in Name<Attributes> as `${K}_${Comparison}`]?: Values[Attributes[K]];
} & {
  [
    K in Name<Attributes> as `${K}_${Comparison}_${Several}` | `${K}_${'in' | 'not_in'}`
  ]?: readonly Values[Attributes[K]][];
} & {
  [K in Name<Attributes> as `${K}_${TextMatch | 'does_not_match'}`]?: string;
} & {
  [K in Name<Attributes> as `${K}_${TextMatch}_${Several}`]?: readonly string[];
} & {
  [K in Name<Attributes> as `${K}_${Switch}`]?: boolean;
} & {
  [K in FlagOf<Attributes> as `${K}_${'true' | 'false'}`]?: boolean;
} & {
  [condition: `${string}_${'or' | 'and'}_${string}`]: SearchValue;
} & {
  /** The sort order: one attribute or a list of them. */
  s?: Sort<Attributes> | readonly Sort<Attributes>[];
  /** `or` returns records that match any of the conditions; defaults to `and`. */
  m?: 'and' | 'or';
};
