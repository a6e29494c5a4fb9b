import { z } from 'zod';
import { INVALID } from '../../platform/errors';
import {
  boolean,
  createSchema,
  integer,
  reference,
  text,
  updateSchema,
  wrapped,
} from '../../platform/http/fields';
import { acceptingUnread } from '../../platform/http/ignored-parameters';
import { PathId, PathName } from '../../platform/http/path-parameters';

/** The path of one size, relative to the root of the server; image files are public and outside the API. */
const ImagePath = z.string().meta({ examples: ['/store/products/31/mini/front_view.png?1772358070'] });

export const ImageJson = z
  .object({
    id: z.int(),
    position: z.int(),
    attachment_content_type: z.enum(['image/jpeg', 'image/png', 'image/gif']),
    attachment_file_name: z.string(),
    type: z.literal('Store::Image'),
    attachment_updated_at: z.iso.datetime().nullable(),
    attachment_width: z.int(),
    attachment_height: z.int(),
    alt: z.string().nullable(),
    viewable_type: z.literal('Store::Variant'),
    viewable_id: z.int(),
    mini_url: ImagePath,
    small_url: ImagePath,
    product_url: ImagePath,
    large_url: ImagePath,
  })
  .meta({ id: 'Image' });

export type ImageJson = z.output<typeof ImageJson>;

export const ImageListJson = z.object({ images: z.array(ImageJson) });

/** The file is sent as a multipart field. Any other value of `attachment` is invalid; null and blank mean no file. */
const noFile = z
  .unknown()
  .refine((value) => value == null || value === '', INVALID)
  .optional()
  .meta({ description: 'Send the file as multipart form data.', override: { type: 'null' } });

/** The fields next to the file. `type` is accepted and ignored: the content type is detected from the file. */
const fields = {
  alt: text(),
  position: integer({ min: 1 }),
  viewable_id: reference(),
};

const NOT_READ = ['type', 'viewable_type'];

export const ImageCreate = wrapped(
  'image',
  acceptingUnread(createSchema(fields, []).extend({ attachment: noFile }), NOT_READ),
);
export const ImageUpdate = wrapped(
  'image',
  acceptingUnread(updateSchema(fields, []).extend({ attachment: noFile }), NOT_READ),
);

export type ImageAttributes = Pick<z.output<typeof ImageUpdate>['image'], 'alt' | 'position' | 'viewable_id'>;

export const ImagesOfProduct = z.object({ product_id: PathName });
export const ImageOfProduct = ImagesOfProduct.extend({ id: PathId });
export const ImagesOfVariant = z.object({ variant_id: PathId });
export const ImageOfVariant = ImagesOfVariant.extend({ id: PathId });

/** The owner in a path: a product by permalink or id, or a variant. */
export type ImageOwnerPath = z.output<typeof ImagesOfProduct> | z.output<typeof ImagesOfVariant>;

export const ImagesQuery = z.object({ show_deleted: boolean().optional.catch(undefined) });
