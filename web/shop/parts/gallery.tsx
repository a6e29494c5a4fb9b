import { useState } from 'preact/hooks';
import type { Image } from 'store-api-client';
import { Picture } from './picture';

const SIZES = '(min-width: 900px) 560px, 94vw';

/** The pictures of a product: one large, and the others to choose from. */
export function Gallery({ images, name }: { images: readonly Image[]; name: string }) {
  const [shown, show] = useState(0);
  return (
    <div class="gallery">
      <Picture image={images[shown]} name={name} sizes={SIZES} isFirst />
      {images.length > 1 && (
        <ul class="thumbnails">
          {images.map((image, index) => (
            <li key={image.id}>
              <button
                type="button"
                aria-label={`Picture ${index + 1}: ${image.alt ?? name}`}
                aria-pressed={index === shown}
                onClick={() => show(index)}
              >
                <img src={image.small_url} alt="" width="72" height="72" loading="lazy" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
