import { Link } from 'wouter-preact';
import { useMay } from '../access';

/** The number of an order, as a link to it for staff that may see it. */
export function OrderLink({ number }: { number: string }) {
  const may = useMay();
  return may('orders:read') ? <Link href={`/orders/${number}`}>{number}</Link> : <>{number}</>;
}
