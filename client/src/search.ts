/** The kind of an attribute; it determines the available predicates. */
type Kind = 'text' | 'number' | 'time' | 'flag' | 'json';

/** The value of a condition. Times are ISO 8601 strings or `Date` objects. */
export type SearchValue = Scalar | readonly Scalar[] | JsonObject | null | undefined;

/** An object that JSON must contain; its values are compared as they are (`3` is not `'3'`). */
type JsonObject = Readonly<Record<string, unknown>>;

type Scalar = string | number | boolean | Date;

/** The values that an attribute of each kind is compared with. Pass decimals as strings to keep them exact. */
interface Values {
  text: string;
  number: number | string;
  time: string | Date;
  flag: boolean;
  json: never;
}

type Comparison = 'eq' | 'not_eq' | 'lt' | 'lteq' | 'gt' | 'gteq';

type TextMatch = 'cont' | 'not_cont' | 'start' | 'not_start' | 'end' | 'not_end' | 'matches';

type Switch = 'null' | 'not_null' | 'present' | 'blank';

type Several = 'any' | 'all';

type NameOf<Attributes, K extends Kind> = {
  [N in keyof Attributes]: Attributes[N] extends K ? N : never;
}[keyof Attributes] &
  string;

/** The attributes with comparisons; JSON has only `contains`. */
type Name<Attributes> = NameOf<Attributes, Exclude<Kind, 'json'>>;

type Sort<Names extends string> = Names | `${Names} ${'asc' | 'desc'}`;

/**
 * The conditions that `q` of one list accepts, derived from its searchable attributes. Conditions on several attributes
 * (`name_or_sku_cont`) are checked by their pattern only. `Orders` are those that only `s` knows, such as `newest`.
 */
export type Search<Attributes extends Record<string, Kind>, Orders extends string = never> = {
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
  [K in NameOf<Attributes, 'flag'> as `${K}_${'true' | 'false'}`]?: boolean;
} & {
  [K in NameOf<Attributes, 'json'> as `${K}_contains`]?: JsonObject | string;
} & {
  [condition: `${string}_${'or' | 'and'}_${string}`]: SearchValue;
} & {
  /** The sort order: one attribute or a list of them. */
  s?: Sort<Name<Attributes> | Orders> | readonly Sort<Name<Attributes> | Orders>[];
  /** `or` returns records that match any of the conditions; defaults to `and`. */
  m?: 'and' | 'or';
};
