import { serializeOptionValue } from '../option-values/option-values.definition';
import { OptionType, type OptionTypeJson } from './option-types.definition';
import type { OptionTypeGraph } from './option-types.service';

export function serializeOptionType(type: OptionTypeGraph): OptionTypeJson {
  return OptionType.serialize(type, { option_values: type.option_values.map(serializeOptionValue) });
}
