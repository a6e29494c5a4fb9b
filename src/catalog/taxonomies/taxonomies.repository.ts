import { createRecords } from '../../platform/resource/records';
import { Taxonomy } from './taxonomies.definition';

/**
 * Taxonomies without their trees. All changes of a tree lock its taxonomy. Deleting a taxonomy deletes its tree and the
 * classifications in it. A caller that renames a taxonomy renames its root, which has the same name.
 */
export const taxonomyRecords = createRecords(Taxonomy);
