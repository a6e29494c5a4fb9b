import { serializeOptionValue } from '../option-values/option-values.serializer';
import type { OptionTypeJson } from './option-types.schema';
import type { OptionTypeGraph } from './option-types.service';

export function serializeOptionType(type: OptionTypeGraph): OptionTypeJson {
  return {
    id: type.id,
    name: type.name,
    presentation: type.presentation,
    position: type.position,
    option_values: type.option_values.map(serializeOptionValue),
  };
}
