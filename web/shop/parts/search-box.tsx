import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { suggestQuery } from '../queries';
import { useShop } from '../shop';

const PAUSE_MS = 120;

/** The search of the header, with suggestions while one types: arrows choose one, Enter opens it, Escape closes them. */
export function SearchBox() {
  const shop = useShop();
  const [path, go] = useLocation();
  const query = useSearch();
  // The words of a search stay with its results.
  const searched = path === '/search' ? (new URLSearchParams(query).get('search') ?? '') : '';
  const [text, setText] = useState(searched);
  useEffect(() => setText(searched), [path, searched]);
  const [requested, setRequested] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const box = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => setRequested(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    const close = (event: Event): void => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', close);
    return () => removeEventListener('pointerdown', close);
  }, []);
  const { data, isPlaceholderData } = useQuery({
    ...suggestQuery(shop, requested),
    ...(requested.length > 1 && { placeholderData: keepPreviousData }),
  });
  const options = [
    ...(data?.taxons ?? []).slice(0, 3).map((taxon) => ({
      href: `/c/${taxon.permalink}`,
      name: taxon.name,
      note: 'Category',
      image: null,
    })),
    ...(data?.products ?? []).slice(0, 6).map((product) => ({
      href: `/products/${product.slug}`,
      name: product.name,
      note: product.display_price,
      image: product.image_url,
    })),
  ];
  const isShown = isOpen && requested.length > 1 && options.length > 0;
  const open = (href: string): void => {
    setOpen(false);
    setActive(-1);
    go(href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setOpen(false);
    if (!isShown || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    event.preventDefault();
    const step = event.key === 'ArrowDown' ? 1 : -1;
    setActive((index) => Math.max(-1, Math.min(options.length - 1, index + step)));
  };
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    const chosen = isShown ? options[active] : undefined;
    if (chosen !== undefined) open(chosen.href);
    else if (text.trim() !== '') open(`/search?search=${encodeURIComponent(text.trim())}`);
  };
  return (
    <form class="search" role="search" action="/search" onSubmit={onSubmit} ref={box}>
      <input
        type="search"
        name="search"
        placeholder="Search products"
        aria-label="Search products"
        autocomplete="off"
        maxLength={200}
        role="combobox"
        aria-expanded={isShown}
        aria-controls="suggestions"
        aria-autocomplete="list"
        {...(isShown && active >= 0 && { 'aria-activedescendant': `suggestion-${active}` })}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
          setActive(-1);
        }}
        onFocus={() => setOpen(true)}
        onKeyDown={onKeyDown}
      />
      {isOpen && requested.length > 1 && data !== undefined && !isPlaceholderData && options.length === 0 && (
        <p class="suggestions suggestions-none" role="status">
          Nothing found for “{requested}”.
        </p>
      )}
      <ul id="suggestions" class="suggestions" role="listbox" aria-label="Suggestions" hidden={!isShown}>
        {options.map(({ href, name, note, image }, index) => (
          <li
            key={href}
            id={`suggestion-${index}`}
            role="option"
            aria-selected={index === active}
            onClick={() => open(href)}
          >
            {image != null && <img src={image} alt="" width="40" height="40" />}
            <span>{name}</span>
            <span class="suggestion-note">{note}</span>
          </li>
        ))}
      </ul>
    </form>
  );
}
