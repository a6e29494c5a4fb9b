const { readdirSync } = require('node:fs');
const { join } = require('node:path');
const DECISION_FILES = require('./decision-files.cjs');

/**
 * Who may import what (ARCHITECTURE.md, "Floors" and "Import rules").
 */

/** Above the platform, from the ground up: [name, path]. A floor imports nothing of the floors after it, types included. */
const AREAS = [
  ['access', '(access|errors)/'],
  ['geography', 'geography/'],
  ['accounts', 'accounts/'],
  ['catalog', 'catalog/'],
  ['inventory', 'inventory/'],
  ['sales', 'sales/'],
  ['mails', 'mails/'],
  ['reports', 'reports/'],
  ['events', 'events/'],
  ['exchange', 'exchange/'],
  ['program', '(boot/|cli/|web/|app\\.ts|routers\\.ts|main\\.ts|worker\\.ts|config\\.ts|environment\\.ts)'],
];

for (const entry of readdirSync(join(__dirname, 'src'), { withFileTypes: true })) {
  const name = entry.isDirectory() ? `${entry.name}/` : entry.name;
  const isPlaced = name === 'platform/' || AREAS.some(([, path]) => new RegExp(`^${path}`).test(name));
  if (!isPlaced) throw new Error(`src/${name} is on no floor: add it to AREAS in .dependency-cruiser.cjs`);
}

/** The floors of the catalog: what several resources share, then the folders that have paths of their own. */
const FLOORS_OF_CATALOG = [
  ['product-queries', 'product-queries/'],
  ['taxon-tree', 'taxon-tree/'],
  ['resources', '(?!product-queries/|taxon-tree/)[^/]+/'],
];

/** The floors of sales below its resources. */
const FLOORS_OF_SALES = [
  ['order', 'order/'],
  ['pricing', 'pricing/'],
  ['order-updater', 'order-updater/'],
  ['fulfilment', 'fulfilment/'],
  ['gateways', 'payment-processing/gateways/'],
  ['context', 'context\\.ts'],
  ['payment-processing', 'payment-processing/(?!gateways/)'],
  ['order-input', 'order-input/'],
  ['order-replies', 'order-replies/'],
];

const VERIFY = ['verify', 'verify/'];
/** Whatever else is in sales: the folders that have paths of their own. */
const RESOURCES = ['resources', `(?!${[...FLOORS_OF_SALES, VERIFY].map(([, path]) => path).join('|')})`];

const floorRules = (prefix, floors) =>
  floors.slice(0, -1).map(([name, path], index) => {
    const above = floors.slice(index + 1).map(([, higher]) => higher);
    return {
      name: `${name}-imports-nothing-above-it`,
      severity: 'error',
      from: { path: `^${prefix}${path}` },
      to: { path: `^${prefix}(${above.join('|')})` },
    };
  });

const layer = (name, from, to) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: to },
});

const RULES =
  '([.-](machine|guards|rules|policy|totals|steps|matching|coordinator|estimator)|/(calculators|risk))\\.ts$';

const PROGRAMS = '^src/(main|worker|cli/store)\\.ts$';

module.exports = {
  forbidden: [
    ...floorRules('src/', AREAS),
    ...floorRules('src/catalog/', FLOORS_OF_CATALOG),
    ...floorRules('src/sales/', [...FLOORS_OF_SALES, RESOURCES, VERIFY]),
    {
      name: 'platform-imports-nothing-of-the-shop',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^(src/(?!platform/)|migrations/|seeds/|docs-content/)' },
    },
    {
      // A router that routers.ts does not list, or what nothing uses any more.
      name: 'every-file-is-used',
      severity: 'error',
      from: { path: PROGRAMS },
      to: { path: '^src/', pathNot: PROGRAMS, reachable: false },
    },
    { name: 'no-circles-of-files', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-circles-of-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/' },
      to: { circular: true },
    },
    ...[
      layer(
        'routers-hold-no-sql',
        '\\.router\\.ts$',
        '(\\.repository\\.ts$|-graph\\.ts$|platform/database/|node_modules/knex/)',
      ),
      layer('routers-do-not-share', '^src/.*\\.router\\.ts$', '^src/.*\\.router\\.ts$'),
      layer(
        'services-know-no-http',
        '\\.service\\.ts$',
        '(\\.serializer\\.ts$|\\.router\\.ts$|node_modules/express/)',
      ),
      layer(
        'repositories-know-no-callers',
        '(\\.repository|-graph)\\.ts$',
        '(\\.service|\\.serializer|\\.router)\\.ts$',
      ),
      layer(
        'rules-are-pure',
        RULES,
        '(\\.repository|-graph|\\.service|\\.router|\\.serializer)\\.ts$|platform/database/|^node:|node_modules/(knex|pg)/',
      ),
      layer(
        'decisions-are-pure',
        `^(${DECISION_FILES.join('|')})$`,
        '(\\.repository|-graph|-facts|\\.service|\\.router|\\.serializer)\\.ts$|platform/database/|^node:|node_modules/(knex|pg)/',
      ),
      layer(
        'serializers-only-spell',
        '\\.serializer\\.ts$',
        '(\\.repository|-graph|\\.service|\\.router)\\.ts$|platform/database/',
      ),
      layer(
        'only-the-ledger-writes-counts',
        '^src/(?!inventory/(stock-ledger|item-stock)\\.ts$)',
        'inventory/stock-ledger\\.repository\\.ts$',
      ),
      layer(
        'only-functions-that-lock-mark-rows',
        '^src/(?!.*(-lock|\\.repository|/records|/backorders)\\.ts$)',
        '^src/platform/database/locked\\.ts$',
      ),
      layer('only-config-reads-the-environment', '^src/(?!config\\.ts$)', '^node:process$'),
      layer(
        'the-store-runs-without-development-tools',
        '^(src|docs-content|migrations|seeds)/',
        '^scripts/|node_modules/(openapi-to-postmanv2|newman|openapi-typescript|openapi-fetch)/',
      ),
      {
        // Each takes 10 to 25 MB of memory, and many processes never use it.
        name: 'large-libraries-load-at-their-first-use',
        severity: 'error',
        from: { path: '^(src|seeds)/' },
        to: { path: 'node_modules/(sharp|pdfkit|nodemailer)/', dynamic: false },
      },
      layer('src-never-imports-tests', '^(src|docs-content|migrations|seeds)/', '^(test|bench|prove)/'),
    ].map((rule) =>
      // Types carry no behaviour: within its floors, a serializer or a rule may name a row type.
      ({ ...rule, to: { ...rule.to, dependencyTypesNot: ['type-only'] } }),
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default'] },
  },
};
