import { describe, idOrName } from '../../platform/http/fields';

/** A country in a request. */
export const countryReference = describe(
  idOrName(),
  'The country: its id, its ISO code (`"US"`), or its name.',
);

/** A state in a request. */
export const stateReference = describe(
  idOrName(),
  'The state: its id, its abbreviation (`"ME"`, `"US-ME"`), or its name.',
);
