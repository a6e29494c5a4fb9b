import type { OptionValueRow } from './option-values.repository';
import type { OptionValueJson } from './option-values.schema';

export function serializeOptionValue(value: OptionValueRow): OptionValueJson {
  return {
    id: value.id,
    name: value.name,
    presentation: value.presentation,
    option_type_name: value.option_type_name,
    option_type_id: value.option_type_id,
    option_type_presentation: value.option_type_presentation,
  };
}
