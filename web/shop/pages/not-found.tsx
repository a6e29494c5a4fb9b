import { Link } from 'wouter-preact';
import { useHead } from '../head';

export function NotFound() {
  useHead({ title: 'Not found', canonical: null });
  return (
    <div class="page narrow">
      <h1>This page does not exist</h1>
      <p>It may have been moved, or the product is no longer sold.</p>
      <p>
        <Link href="/" class="button">
          To the shop
        </Link>
      </p>
    </div>
  );
}
