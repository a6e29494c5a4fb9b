/** A taxon and its children; the permalink is derived from the names. */
export interface TaxonContent {
  readonly name: string;
  readonly description?: string;
  readonly children?: readonly TaxonContent[];
}

/** The taxonomies of the demo store. Products refer to taxons by name, so names are unique. */
export const TAXONOMIES: readonly TaxonContent[] = [
  {
    name: 'Categories',
    children: [
      {
        name: 'Clothing',
        description: 'Everyday layers that are easy to wash and hard to wear out.',
        children: [
          { name: 'T-Shirts' },
          { name: 'Sweaters & Hoodies' },
          { name: 'Jackets' },
          { name: 'Accessories', children: [{ name: 'Hats' }, { name: 'Socks' }, { name: 'Scarves' }] },
        ],
      },
      {
        name: 'Bags',
        description: 'For the market, the office and the long weekend.',
        children: [
          { name: 'Shoulder Bags' },
          { name: 'Backpacks' },
          { name: 'Travel' },
          { name: 'Pouches & Sleeves' },
        ],
      },
      {
        name: 'Kitchen',
        description: 'Cups, bottles and the things around them.',
        children: [
          { name: 'Drinkware', children: [{ name: 'Mugs & Cups' }, { name: 'Bottles & Tumblers' }] },
          { name: 'Coffee & Tea' },
          { name: 'Table' },
        ],
      },
      {
        name: 'Stationery',
        description: 'Paper worth writing on and tools worth writing with.',
        children: [{ name: 'Notebooks' }, { name: 'Pens & Pencils' }, { name: 'Desk' }, { name: 'Letters' }],
      },
      {
        name: 'Home',
        description: 'Small changes that make a room.',
        children: [
          { name: 'Lighting' },
          { name: 'Textiles' },
          { name: 'Candles' },
          { name: 'Plants & Vases' },
          { name: 'Walls' },
        ],
      },
      {
        name: 'Outdoor',
        description: 'Gear for a night under the stars or a ride across town.',
        children: [
          { name: 'Camping', children: [{ name: 'Shelter & Sleep' }, { name: 'Camp Kitchen' }] },
          { name: 'Cycling' },
          { name: 'Safety' },
        ],
      },
      { name: 'Gifts', description: 'When it is hard to choose for somebody else.' },
    ],
  },
  {
    name: 'Brands',
    children: [
      { name: 'Northfold', description: 'Knitwear and jersey, made to be mended.' },
      { name: 'Harbor Lane', description: 'Waxed canvas and bridle leather.' },
      { name: 'Kiln & Clay', description: 'Stoneware thrown and glazed by hand.' },
      { name: 'Papyrine', description: 'Bound paper and brass.' },
      { name: 'Fernhouse', description: 'Quiet things for the home.' },
      { name: 'Tarnridge', description: 'Light gear for heavy weather.' },
    ],
  },
];
