import { z } from 'zod';
import { countPages, type Page } from '../../platform/query-builder/page';
import { State, type StateRow } from './states.definition';

/** The paging keys are present only if the request has `page` or `per_page`. */
export const StateListJson = z.object({
  states: z.array(State.Json),
  states_required: z.boolean().optional().meta({
    description: 'Whether addresses require a state. Present if the request names a country.',
  }),
  count: z.int().optional(),
  total_count: z.int().optional(),
  current_page: z.int().optional(),
  per_page: z.int().optional(),
  pages: z.int().optional(),
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
