/** What an attribute holds, as far as searching by it is concerned. */
type Kind = 'text' | 'number' | 'time' | 'flag';

/** What a condition may be compared with. Times are ISO 8601 or a `Date`, which is sent as such. */
export type SearchValue = Scalar | readonly Scalar[] | null | undefined;

type Scalar = string | number | boolean | Date;

/** What values of an attribute are compared with. Decimals are exact as strings. */
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
 * What `q` of one list may hold, from the attributes the list can be searched by. Several attributes in one condition
 * (`name_or_sku_cont`) are known by their pattern only.
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
  /** By which attribute to sort; several count in their order. */
  s?: Sort<Attributes> | readonly Sort<Attributes>[];
  /** `or`: records that meet any of the conditions. */
  m?: 'and' | 'or';
};
