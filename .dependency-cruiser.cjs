/**
 * Who may import what (ARCHITECTURE.md, "Import rules").
 * Areas depend only leftwards: platform <- geography <- accounts <- catalog <- inventory <- sales.
 */
const rightOf = {
  platform: 'geography|accounts|catalog|inventory|sales',
  geography: 'accounts|catalog|inventory|sales',
  accounts: 'catalog|inventory|sales',
  catalog: 'inventory|sales',
  inventory: 'sales',
};

const areaRules = Object.entries(rightOf).map(([area, forbidden]) => ({
  name: `${area}-depends-leftwards`,
  severity: 'error',
  from: { path: `^src/${area}/` },
  to: { path: `^src/(${forbidden})/` },
}));

const layer = (name, from, to) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: to },
});

const RULES =
  '([.-](machine|guards|rules|policy|totals|steps|matching|coordinator|estimator)|/(calculators|risk))\\.ts$';

module.exports = {
  forbidden: [
    ...areaRules,
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    layer(
      'routers-hold-no-sql',
      '\\.router\\.ts$',
      '(\\.repository\\.ts$|-graph\\.ts$|platform/database/|node_modules/knex/)',
    ),
    layer('http-knows-no-shop', '^src/platform/(http|openapi|resource)/', '^src/(?!platform/|errors/)'),
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
      'serializers-only-spell',
      '\\.serializer\\.ts$',
      '(\\.repository|-graph|\\.service|\\.router)\\.ts$|platform/database/',
    ),
    layer(
      'only-the-ledger-writes-counts',
      '^src/(?!inventory/stock-ledger\\.ts$)',
      'inventory/stock-ledger\\.repository\\.ts$',
    ),
    layer('only-config-reads-the-environment', '^src/(?!config\\.ts$)', '^node:process$'),
    layer(
      'the-store-runs-without-development-tools',
      '^(src|docs-content|migrations|seeds)/',
      '^scripts/|node_modules/(openapi-to-postmanv2|newman|openapi-typescript|openapi-fetch)/',
    ),
    layer('src-never-imports-tests', '^(src|docs-content|migrations|seeds)/', '^(test|bench)/'),
  ].map((rule) =>
    // Types carry no behaviour: a row type may be named by a serializer or a rule.
    rule.name === 'no-cycles' ? rule : { ...rule, to: { ...rule.to, dependencyTypesNot: ['type-only'] } },
  ),
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'node', 'default'] },
  },
};
