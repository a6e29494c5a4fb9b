import { countPages, type Page } from '../../platform/query-builder/page';
import type { StateRow } from './states.repository';
import type { StateJson, StateListJson } from './states.schema';

export function serializeState(state: StateRow): StateJson {
  return { id: state.id, name: state.name, abbr: state.abbr, country_id: state.country_id };
}

export function serializeStateList(page: Page<StateRow>, paged: boolean): StateListJson {
  const states = page.rows.map(serializeState);
  if (!paged) return { states };
  return {
    states,
    count: states.length,
    total_count: page.total,
    current_page: page.page,
    per_page: page.per_page,
    pages: countPages(page),
  };
}
