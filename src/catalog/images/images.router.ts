import { AttributeListJson } from '../../platform/http/attribute-list';
import { createApiRouter, type ApiRouter } from '../../access/api-router';
import { endpoint } from '../../platform/http/endpoint';
import { catalogReplies } from '../catalog-replies';
import {
  ImageCreate,
  ImageJson,
  ImageListJson,
  ImageOfProduct,
  ImageOfVariant,
  ImagesOfProduct,
  ImagesOfVariant,
  ImagesQuery,
  ImageUpdate,
} from './images.schema';
import { imageSearch } from './images.search';
import { serializeImage } from './images.serializer';
import { changeImage, createImage, getImage, getImageOwner, listImages, removeImage } from './images.service';

const ATTRIBUTES = {
  attributes: [
    'id',
    'position',
    'attachment_content_type',
    'attachment_file_name',
    'type',
    'attachment_updated_at',
    'attachment_width',
    'attachment_height',
    'alt',
    'viewable_type',
    'viewable_id',
  ],
  required_attributes: [],
};

/** The part that carries the picture. */
const UPLOAD = 'image[attachment]';

const OF_PRODUCT = {
  path: '/products/:product_id/images',
  Images: ImagesOfProduct,
  Image: ImageOfProduct,
  whose: 'a product',
} as const;

const OF_VARIANT = {
  path: '/variants/:variant_id/images',
  Images: ImagesOfVariant,
  Image: ImageOfVariant,
  whose: 'a variant',
} as const;

/** The same endpoints below a product and below one of its variants. */
export function imagesRouter(): ApiRouter {
  const router = createApiRouter('Images');
  for (const place of [OF_PRODUCT, OF_VARIANT]) {
    declareReadEndpoints(router, place);
    declareWriteEndpoints(router, place);
  }
  return router;
}

type Place = typeof OF_PRODUCT | typeof OF_VARIANT;

function declareReadEndpoints(router: ApiRouter, { path, Images, Image, whose }: Place): void {
  endpoint(router, `get ${path}`, {
    access: 'anyone',
    summary: `Images of ${whose}, by position`,
    description: "The whole list. A product's images are the master's and then those of each variant.",
    params: Images,
    query: ImagesQuery,
    search: imageSearch,
    reply: ImageListJson,
    cache: catalogReplies,
    handle: async (ctx, { params, query, list }) => {
      const owner = await getImageOwner(ctx, params, { deleted: query.show_deleted });
      return { images: (await listImages(ctx, owner, list)).map(serializeImage) };
    },
  });
  endpoint(router, `get ${path}/new`, {
    access: 'anyone',
    summary: 'What an image has, and needs',
    params: Images,
    reply: AttributeListJson,
    handle: async (ctx, { params }) => {
      await getImageOwner(ctx, params);
      return ATTRIBUTES;
    },
  });
  endpoint(router, `get ${path}/:id`, {
    access: 'anyone',
    summary: `One image of ${whose}`,
    params: Image,
    query: ImagesQuery,
    reply: ImageJson,
    cache: catalogReplies,
    handle: async (ctx, { params, query }) => {
      const owner = await getImageOwner(ctx, params, { deleted: query.show_deleted });
      return serializeImage(await getImage(ctx, owner, params.id));
    },
  });
}

function declareWriteEndpoints(router: ApiRouter, { path, Images, Image, whose }: Place): void {
  endpoint(router, `post ${path}`, {
    access: 'admin',
    summary: `Add an image to ${whose}`,
    description:
      'JPEG, PNG or GIF of at most 10 MiB and 40 megapixels, told by its bytes. `image[viewable_id]` names the ' +
      'variant it belongs to: the master, or the variant of the path, unless told.',
    params: Images,
    upload: UPLOAD,
    input: ImageCreate,
    subject: (ctx, params) => getImageOwner(ctx, params),
    status: 201,
    reply: ImageJson,
    handle: async (ctx, { params, input, file }) => {
      const owner = await getImageOwner(ctx, params);
      return serializeImage(await createImage(ctx, owner, { file, attributes: input.image }));
    },
  });
  endpoint(router, `put ${path}/:id`, {
    access: 'admin',
    summary: `Change an image of ${whose}, or its picture`,
    params: Image,
    upload: UPLOAD,
    input: ImageUpdate,
    subject: async (ctx, params) => getImage(ctx, await getImageOwner(ctx, params), params.id),
    status: 201,
    reply: ImageJson,
    handle: async (ctx, { params, input, file }) => {
      const owner = await getImageOwner(ctx, params);
      const change = { file, attributes: input.image };
      return serializeImage(await changeImage(ctx, { owner, id: params.id }, change));
    },
  });
  endpoint(router, `delete ${path}/:id`, {
    access: 'admin',
    summary: `Delete an image of ${whose} and its files`,
    params: Image,
    status: 204,
    handle: async (ctx, { params }) => removeImage(ctx, await getImageOwner(ctx, params), params.id),
  });
}
