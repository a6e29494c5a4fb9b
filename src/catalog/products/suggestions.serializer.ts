import { displayMoney } from '../../platform/money-format';
import { buildImageUrl } from '../images/images.serializer';
import type {
  SuggestedImage,
  SuggestedProduct,
  Suggestions,
} from '../product-queries/suggestions.repository';
import type { SuggestionsJson } from './suggestions.schema';

export function serializeSuggestions({ products, taxons }: Suggestions): SuggestionsJson {
  return { products: products.map(serializeProduct), taxons };
}

function serializeProduct(product: SuggestedProduct): SuggestionsJson['products'][number] {
  const { id, name, slug, price, image } = product;
  return {
    id,
    name,
    slug,
    display_price: price === null ? null : displayMoney(price, product),
    image_url: image === null ? null : buildUrl(image),
  };
}

const buildUrl = (image: SuggestedImage): string =>
  buildImageUrl({ ...image, attachment_updated_at: new Date(image.attachment_updated_at) }, 'small');
