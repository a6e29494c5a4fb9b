import type { OtherNames } from '../platform/http/near-names';
import MEANINGS from './name-hints.json';

/** Parameters by the names that other shops give them, the most probable first, for hints. */
export const OTHER_NAMES: OtherNames = collect();

function collect(): OtherNames {
  const names: Record<string, string[]> = {};
  for (const { words, meant } of MEANINGS) {
    for (const word of words) (names[word] ??= []).push(...meant);
  }
  return names;
}
