import { z } from 'zod';
import * as fields from '../../platform/http/fields';
import { choice, integer, reference, text, timestamp } from '../../platform/resource/columns';
import { defineResource, type JsonOf, type RowOf } from '../../platform/resource/definition';

/** The content type of an image, as detected from its bytes. */
const IMAGE_CONTENT_TYPES = ['image/jpeg', 'image/png', 'image/gif'] as const;
export type ImageContentType = (typeof IMAGE_CONTENT_TYPES)[number];

/** The URL of one size, with PUBLIC_URL or relative to the root of the server; image files are public and outside the API. */
const ImageUrl = z.string().meta({ examples: ['/store/products/31/mini/front_view.png?1772358070'] });

const sizeUrl = (pixels: number, note = 'relative to the server without `PUBLIC_URL`') => ({
  reply: ImageUrl.describe(`The URL of the image with at most ${pixels} pixels per side; ${note}.`),
});

const POSITION = 'The position among the images of the variant, from 1.';
const OWNER = 'The id of the variant that owns the image.';
const ALT = 'The alternative text. Null without one.';

/** An image of a variant. Its files are in the storage, under keys that begin with `storage_key`. */
export const Image = defineResource({
  table: 'images',
  name: 'image',
  schema: 'Image',
  deletion: 'hard',
  join: 'JOIN variants ON variants.id = images.variant_id',
  fields: {
    position: {
      type: integer({ min: 1 }),
      assigned: true,
      search: true,
      reply: z.int().describe(POSITION),
      description: `${POSITION} Defaults to the last.`,
    },
    attachment_content_type: {
      type: choice(IMAGE_CONTENT_TYPES),
      internal: true,
      description: 'The type of the file, detected from its bytes.',
    },
    attachment_file_name: {
      type: text(),
      internal: true,
      description: 'The name of the uploaded file.',
    },
    type: {
      reply: z.literal('Store::Image'),
      listed: true,
      description: 'The kind of record. Constant.',
    },
    attachment_updated_at: {
      type: timestamp(),
      internal: true,
      reply: z.iso.datetime().nullable(),
      description: 'When the file was uploaded. Null if unknown.',
    },
    /** Pixels of the original after its EXIF orientation is applied. */
    attachment_width: {
      type: integer(),
      internal: true,
      description: 'The width of the uploaded file in pixels.',
    },
    attachment_height: {
      type: integer(),
      internal: true,
      description: 'The height of the uploaded file in pixels.',
    },
    alt: { type: text(), nullable: true, search: true, description: ALT },
    viewable_type: {
      reply: z.literal('Store::Variant'),
      listed: true,
      description: 'The kind of the owner. Constant: images belong to variants.',
    },
    viewable_id: {
      reply: z.int().describe(OWNER),
      input: fields.reference(),
      listed: true,
      description: `${OWNER} Defaults to the master of the product.`,
    },
    mini_url: sizeUrl(48),
    small_url: sizeUrl(100),
    product_url: sizeUrl(240),
    large_url: sizeUrl(600),
    xlarge_url: sizeUrl(1200, 'made by its first request if the image is older'),
    urls: {
      reply: z.array(z.object({ width: z.int(), url: ImageUrl.describe('Of the file with this width.') })),
      description:
        'The URLs for `srcset`, by width in pixels; an image is never enlarged. They reply with AVIF or WebP to an `Accept` header that names them.',
    },
    variant_id: { type: reference(), internal: true, hidden: true },
    storage_key: { type: text(), internal: true, hidden: true },
  },
  search: {
    // The images of the master come first, then those of each variant.
    baseOrder: ['variants.is_master DESC', 'variants.position ASC', 'variants.id ASC', 'images.position ASC'],
  },
});

export type ImageRow = RowOf<typeof Image>;
export type ImageJson = JsonOf<typeof Image>;
