import { Link } from 'wouter-preact';

/** What pages of stock show before there is a location. */
export const NoLocations = () => (
  <p class="notice">
    There are no stock locations. <Link href="/settings/locations">Add one.</Link>
  </p>
);

interface LocationSelectProps {
  locations: readonly { id: number; name: string }[];
  value: number;
  choose: (id: number) => void;
}

/** Chooses a stock location. */
export const LocationSelect = ({ locations, value, choose }: LocationSelectProps) => (
  <select
    aria-label="Location"
    value={String(value)}
    onChange={(event) => choose(Number(event.currentTarget.value))}
  >
    {locations.map(({ id, name }) => (
      <option key={id} value={String(id)}>
        {name}
      </option>
    ))}
  </select>
);
