import { createRecords } from '../../platform/resource/records';
import { Country } from './countries.definition';

/** Countries without their states. */
export const countryRecords = createRecords(Country);
