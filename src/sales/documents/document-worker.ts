import { serveTasks } from '../../platform/serve-tasks';
import type { DocumentRecord } from './documents.repository';
import type { PackingSlips } from './packing-slips.repository';
import { renderDocument } from './render-document';
import { renderPackingSlips } from './render-packing-slips';

/** What the thread renders. */
export type RenderTask = DocumentRecord | PackingSlips;

serveTasks((task: RenderTask) => ('slips' in task ? renderPackingSlips(task) : renderDocument(task)));
