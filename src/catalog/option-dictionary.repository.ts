import type { Db } from '../platform/database/knex';
import { queryPrepared } from '../platform/database/prepared';
import type { OptionValueRow } from './option-values/option-values.definition';

/** An option type with all its values, by position. */
export interface OptionTypeWithValues {
  id: number;
  name: string;
  presentation: string;
  position: number;
  option_values: OptionValueRow[];
}

/** The option types and values of one page of products or variants, each loaded once. */
export interface OptionDictionary {
  types: Map<number, OptionTypeWithValues>;
  /** Each value with its rank: by the position of its type, then its own. */
  values: Map<number, { value: OptionValueRow; rank: number }>;
}

interface EntryRow {
  type_id: number | null;
  type_position: number | null;
  value_id: number | null;
  name: string;
  presentation: string;
  position: number;
  option_type_name: string | null;
  option_type_presentation: string | null;
}

/** Bindings: types, values, the types again. */
const OPTIONS = {
  name: 'options',
  sql: `SELECT t.id AS type_id, t.position AS type_position, v.id AS value_id, v.name, v.presentation, v.position,
       t.name AS option_type_name, t.presentation AS option_type_presentation
     FROM option_types AS t LEFT JOIN option_values AS v ON v.option_type_id = t.id
     WHERE t.id = ANY(?)
     UNION ALL
     SELECT t.id, t.position, v.id, v.name, v.presentation, v.position, t.name, t.presentation
     FROM option_values AS v LEFT JOIN option_types AS t ON t.id = v.option_type_id
     WHERE v.id = ANY(?) AND (v.option_type_id = ANY(?)) IS NOT TRUE
     ORDER BY type_position, type_id, position, value_id`,
};

/** Loads these types with all their values, and these values with or without a type. One query. */
export async function loadOptions(
  db: Db,
  typeIds: readonly number[],
  valueIds: readonly number[],
): Promise<OptionDictionary> {
  const options: OptionDictionary = { types: new Map(), values: new Map() };
  if (typeIds.length === 0 && valueIds.length === 0) return options;
  const rows = await queryPrepared<EntryRow>(db, OPTIONS, [[...typeIds], [...valueIds], [...typeIds]]);
  rows.forEach((row, rank) => addEntry(options, row, rank));
  return options;
}

/** Returns these values in the order in which variants show them. Unknown ids are skipped. */
export function sortOptionValues(ids: readonly number[], { values }: OptionDictionary): OptionValueRow[] {
  return ids
    .flatMap((id) => values.get(id) ?? [])
    .sort((a, b) => a.rank - b.rank)
    .map((entry) => entry.value);
}

function addEntry({ types, values }: OptionDictionary, row: EntryRow, rank: number): void {
  const value = row.value_id === null ? null : buildOptionValue(row, row.value_id);
  if (value !== null) values.set(value.id, { value, rank });
  if (row.type_id === null) return;
  const type = types.get(row.type_id);
  if (type === undefined) types.set(row.type_id, buildOptionType(row, row.type_id, value));
  else if (value !== null) type.option_values.push(value);
}

function buildOptionValue(row: EntryRow, id: number): OptionValueRow {
  return {
    id,
    option_type_id: row.type_id,
    name: row.name,
    presentation: row.presentation,
    position: row.position,
    option_type_name: row.option_type_name,
    option_type_presentation: row.option_type_presentation,
  };
}

function buildOptionType(row: EntryRow, id: number, first: OptionValueRow | null): OptionTypeWithValues {
  return {
    id,
    name: row.option_type_name ?? '',
    presentation: row.option_type_presentation ?? '',
    position: row.type_position ?? 0,
    option_values: first === null ? [] : [first],
  };
}
