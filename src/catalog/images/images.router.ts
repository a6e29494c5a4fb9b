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
import { updateImage, createImage, getImage, getImageOwner, listImages, deleteImage } from './images.service';

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

/** The multipart field of the file. */
const UPLOAD = 'image[attachment]';

const OF_PRODUCT = {
  path: '/products/:product_id/images',
  Images: ImagesOfProduct,
  Image: ImageOfProduct,
  owner: 'a product',
} as const;

const OF_VARIANT = {
  path: '/variants/:variant_id/images',
  Images: ImagesOfVariant,
  Image: ImageOfVariant,
  owner: 'a variant',
} as const;

/** Builds the router of images; the endpoints are the same below products and variants. */
export function imagesRouter(): ApiRouter {
  const router = createApiRouter('Images', 'catalog');
  for (const scope of [OF_PRODUCT, OF_VARIANT]) {
    declareReadEndpoints(router, scope);
    declareWriteEndpoints(router, scope);
  }
  return router;
}

type Scope = typeof OF_PRODUCT | typeof OF_VARIANT;

function declareReadEndpoints(router: ApiRouter, { path, Images, Image, owner: ownerName }: Scope): void {
  endpoint(router, `get ${path}`, {
    access: 'anyone',
    summary: `List the images of ${ownerName}, by position`,
    description: 'Not paginated. For a product: the images of the master, then the images of each variant.',
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
    summary: 'Attributes of an image; required ones are marked',
    description: 'Returns the names of the attributes, for example to build a form.',
    params: Images,
    reply: AttributeListJson,
    handle: async (ctx, { params }) => {
      await getImageOwner(ctx, params);
      return ATTRIBUTES;
    },
  });
  endpoint(router, `get ${path}/:id`, {
    access: 'anyone',
    summary: `Get an image of ${ownerName}`,
    description: 'With the paths of its sizes.',
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

function declareWriteEndpoints(router: ApiRouter, { path, Images, Image, owner: ownerName }: Scope): void {
  endpoint(router, `post ${path}`, {
    access: 'admin',
    summary: `Add an image to ${ownerName}`,
    description:
      'A JPEG, PNG or GIF file of at most 10 MiB and 40 megapixels; the type is detected from its bytes. ' +
      '`image[viewable_id]` is the variant of the image; defaults to the variant of the path, or to the master.',
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
    summary: `Update an image of ${ownerName}, or replace its file`,
    description:
      'Send a new file as multipart, other attributes in any format. The URLs of a replaced file change.',
    params: Image,
    upload: UPLOAD,
    input: ImageUpdate,
    subject: async (ctx, params) => getImage(ctx, await getImageOwner(ctx, params), params.id),
    status: 201,
    reply: ImageJson,
    handle: async (ctx, { params, input, file }) => {
      const owner = await getImageOwner(ctx, params);
      const change = { file, attributes: input.image };
      return serializeImage(await updateImage(ctx, { owner, id: params.id }, change));
    },
  });
  endpoint(router, `delete ${path}/:id`, {
    access: 'admin',
    summary: `Delete an image of ${ownerName} and its files`,
    description: 'A second request returns 404.',
    params: Image,
    status: 204,
    handle: async (ctx, { params }) => deleteImage(ctx, await getImageOwner(ctx, params), params.id),
  });
}
