import { serveTasks } from '../../platform/serve-tasks';
import type { DocumentRecord } from './documents.repository';
import type { PackingSlips } from './packing-slips.repository';
import { renderDocument } from './render-document';
import { renderPackingSlips } from './render-packing-slips';

/** What the thread renders, with the logo of the seller. */
export type RenderTask = (DocumentRecord | PackingSlips) & { logo: Uint8Array | null };

serveTasks(({ logo: bytes, ...task }: RenderTask) => {
  const logo = bytes === null ? null : Buffer.from(bytes);
  return 'slips' in task ? renderPackingSlips(task, logo) : renderDocument(task, logo);
});
