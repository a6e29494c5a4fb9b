import type { Picture as Image } from '../queries';

interface PictureProps {
  image: Image | undefined;
  /** The alternative text of an image without one. */
  name: string;
  /** The attribute `sizes`. */
  sizes: string;
  /** Whether it is seen first, and so must be loaded first. */
  isFirst?: boolean;
}

/** A square picture. The browser chooses the size, and the store the format that the browser knows. */
export function Picture({ image, name, sizes, isFirst = false }: PictureProps) {
  if (image === undefined) return <div class="picture picture-none" role="img" aria-label={name} />;
  const { urls, alt } = image;
  return (
    <img
      class="picture"
      src={urls.find(({ width }) => width >= 600)?.url ?? urls.at(-1)?.url}
      srcset={urls
        .filter(({ width }) => width >= 100)
        .map(({ url, width }) => `${url} ${width}w`)
        .join(', ')}
      sizes={sizes}
      alt={alt ?? name}
      width="600"
      height="600"
      decoding="async"
      {...(isFirst ? { fetchpriority: 'high' } : { loading: 'lazy' as const })}
    />
  );
}
