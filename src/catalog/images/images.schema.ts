import { z } from 'zod';
import { createSchema, integer, reference, text, updateSchema, wrapped } from '../../platform/http/fields';

/** The path of one size, on this server's root: an image needs no API version and no token. */
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

/** Beside the file. `type` may be sent as the specification says, but the file's bytes decide, so it is not read. */
const fields = {
  alt: text(),
  position: integer({ min: 1 }),
  viewable_id: reference(),
};

export const ImageCreate = wrapped('image', createSchema(fields, []));
export const ImageUpdate = wrapped('image', updateSchema(fields, []));

export type ImageAttributes = z.output<typeof ImageUpdate>['image'];
