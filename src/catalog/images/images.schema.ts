import { z } from 'zod';
import { INVALID } from '../../platform/errors';
import { describe, boolean, integer, reference, text } from '../../platform/http/fields';
import { createSchema, updateSchema, wrapped } from '../../platform/http/field-schemas';
import { acceptingUnread } from '../../platform/http/ignored-parameters';
import { PathId, PathName } from '../../platform/http/path-parameters';
import { namedObject } from '../../platform/http/named-object';

/** The URL of one size, with PUBLIC_URL or relative to the root of the server; image files are public and outside the API. */
const ImageUrl = z.string().meta({ examples: ['/store/products/31/mini/front_view.png?1772358070'] });

export const ImageJson = namedObject('Image', {
  id: z.int(),
  position: z.int().describe('The position among the images of the variant, from 1.'),
  attachment_content_type: z
    .enum(['image/jpeg', 'image/png', 'image/gif'])
    .describe('The type of the file, detected from its bytes.'),
  attachment_file_name: z.string().describe('The name of the uploaded file.'),
  type: z.literal('Store::Image').describe('The kind of record. Constant.'),
  attachment_updated_at: z.iso.datetime().nullable().describe('When the file was uploaded. Null if unknown.'),
  attachment_width: z.int().describe('The width of the uploaded file in pixels.'),
  attachment_height: z.int().describe('The height of the uploaded file in pixels.'),
  alt: z.string().nullable().describe('The alternative text. Null without one.'),
  viewable_type: z
    .literal('Store::Variant')
    .describe('The kind of the owner. Constant: images belong to variants.'),
  viewable_id: z.int().describe('The id of the variant that owns the image.'),
  mini_url: ImageUrl.describe(
    'The URL of the image with at most 48 pixels per side; relative to the server without `PUBLIC_URL`.',
  ),
  small_url: ImageUrl.describe(
    'The URL of the image with at most 100 pixels per side; relative to the server without `PUBLIC_URL`.',
  ),
  product_url: ImageUrl.describe(
    'The URL of the image with at most 240 pixels per side; relative to the server without `PUBLIC_URL`.',
  ),
  large_url: ImageUrl.describe(
    'The URL of the image with at most 600 pixels per side; relative to the server without `PUBLIC_URL`.',
  ),
  xlarge_url: ImageUrl.describe(
    'The URL of the image with at most 1200 pixels per side; made by its first request if the image is older.',
  ),
  urls: z
    .array(z.object({ width: z.int(), url: ImageUrl.describe('Of the file with this width.') }))
    .describe(
      'The URLs for `srcset`, by width in pixels; an image is never enlarged. They reply with AVIF or WebP to an `Accept` header that names them.',
    ),
});

export type ImageJson = z.output<typeof ImageJson>;

export const ImageListJson = z.object({
  images: z.array(ImageJson).describe('The images, by position.'),
});

/** The file is sent as a multipart field. Any other value of `attachment` is invalid; null and blank mean no file. */
const noFile = z
  .unknown()
  .refine((value) => value == null || value === '', INVALID)
  .optional()
  .meta({ description: 'Send the file as multipart form data.', override: { type: 'null' } });

/** The fields next to the file. `type` is accepted and ignored: the content type is detected from the file. */
const fields = {
  alt: describe(text(), 'The alternative text. Null without one.'),
  position: describe(
    integer({ min: 1 }),
    'The position among the images of the variant, from 1. Defaults to the last.',
  ),
  viewable_id: describe(
    reference(),
    'The id of the variant that owns the image. Defaults to the master of the product.',
  ),
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
