import { z } from 'zod';
import { countPages, type Page } from '../../platform/query-builder/page';
import { State, type StateRow } from './states.definition';

/** The paging keys are present only if the request has `page` or `per_page`. */
export const StateListJson = z.object({
  states: z.array(State.Json).describe('The states, by name.'),
  states_required: z
    .boolean()
    .optional()
    .describe('Whether addresses require a state. Present if the request names a country.'),
  count: z
    .int()
    .optional()
    .describe('The number of states on this page. Present if `page` or `per_page` is sent.'),
  total_count: z
    .int()
    .optional()
    .describe('The total number of matching states. Present if `page` or `per_page` is sent.'),
  current_page: z
    .int()
    .optional()
    .describe('The number of this page, from 1. Present if `page` or `per_page` is sent.'),
  per_page: z.int().optional().describe('The effective page size. Present if `page` or `per_page` is sent.'),
  pages: z.int().optional().describe('The number of pages. Present if `page` or `per_page` is sent.'),
});

export function serializeStateList(page: Page<StateRow>, paged: boolean): z.output<typeof StateListJson> {
  const states = page.rows.map((state) => State.serialize(state));
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
