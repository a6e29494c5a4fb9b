import { z } from 'zod';
import { INVALID } from '../../platform/errors';
import { boolean } from '../../platform/http/fields';
import { wrapped } from '../../platform/http/field-schemas';
import { acceptingUnread } from '../../platform/http/ignored-parameters';
import { PathId, PathName } from '../../platform/http/path-parameters';
import type { ChangesOf } from '../../platform/resource/definition';
import { Image } from './images.definition';

export const ImageListJson = z.object({
  images: z.array(Image.Json).describe('The images, by position.'),
});

/** The file is sent as a multipart field. Any other value of `attachment` is invalid; null and blank mean no file. */
const noFile = z
  .unknown()
  .refine((value) => value == null || value === '', INVALID)
  .optional()
  .meta({ description: 'Send the file as multipart form data.', override: { type: 'null' } });

/** The content type, which may also be next to `image`, is detected from the file. */
const NOT_READ = ['type', 'viewable_type'];

export const ImageCreate = acceptingUnread(
  wrapped('image', acceptingUnread(Image.Attributes.extend({ attachment: noFile }), NOT_READ)),
  NOT_READ,
);
export const ImageUpdate = acceptingUnread(
  wrapped('image', acceptingUnread(Image.Changes.extend({ attachment: noFile }), NOT_READ)),
  NOT_READ,
);

export type ImageAttributes = ChangesOf<typeof Image>;

export const ImagesOfProduct = z.object({ product_id: PathName });
export const ImagesOfVariant = z.object({ variant_id: PathId });

/** The owner in a path: a product by permalink or id, or a variant. */
export type ImageOwnerPath = z.output<typeof ImagesOfProduct> | z.output<typeof ImagesOfVariant>;

export const ImagesQuery = z.object({ show_deleted: boolean().optional.catch(undefined) });
