const js = require('@eslint/js');
const ts = require('typescript-eslint');
const DECISION_FILES = require('./decision-files.cjs');
const onlyDeclaredMembers = require('./scripts/only-declared-members.cjs');

// Properties are written out, also where the formatter needs a line for each of them.
const SPREAD_LITERAL = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression',
  message: 'Write the properties into the object itself.',
};

const SQL = [
  'TemplateElement[value.raw=/\\b(SELECT|INSERT INTO|UPDATE [a-z_]+ SET|DELETE FROM|LEFT JOIN|EXISTS \\()\\b/]',
  'Literal[value=/\\b(SELECT |INSERT INTO |UPDATE [a-z_]+ SET|DELETE FROM )/]',
  'CallExpression[callee.name=/^(tx|db|knex)$/]',
  'CallExpression[callee.property.name="db"]',
  'CallExpression[callee.property.name="raw"][callee.object.name=/^(tx|db|knex)$/]',
  'CallExpression[callee.property.name="raw"][callee.object.property.name="db"]',
].map((selector) => ({
  selector,
  message: 'SQL belongs in a repository, a -graph.ts or a -sql.ts.',
}));

const WAITING = [':function[async=true]', 'AwaitExpression', 'Identifier[name=/^(Promise|Tx|Db)$/]'].map(
  (selector) => ({
    selector,
    message: 'A decision waits for nothing: it asks for facts (platform/database/facts.ts).',
  }),
);

module.exports = ts.config(
  { ignores: ['dist/', 'client/dist/', 'client/src/schema.ts', '.data/', 'coverage/', 'node_modules/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.mts'],
    // The rules that need types are in .oxlintrc.json: native code checks them in a third of the time.
    extends: [ts.configs.recommended],
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-restricted-syntax': ['error', SPREAD_LITERAL],
    },
  },
  {
    files: ['src/**/*.ts', 'migrations/**/*.ts', 'seeds/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: __dirname } },
    plugins: { libraries: onlyDeclaredMembers },
    rules: { 'libraries/only-declared-members': 'error' },
  },
  {
    files: ['src/**/*.ts'],
    // Where SQL belongs (ARCHITECTURE.md, "Where a line of code belongs").
    ignores: [
      ...['src/platform/**', 'src/boot/**', 'src/cli/**', 'src/sales/verify/**'],
      ...['repository', 'search', 'definition', 'report'].map((layer) => `src/**/*.${layer}.ts`),
      ...['src/**/*-graph.ts', 'src/**/*-sql.ts'],
    ],
    rules: {
      'no-restricted-syntax': ['error', SPREAD_LITERAL, ...SQL],
    },
  },
  {
    files: ['src/**/*.ts'],
    // Settings are read by config.ts. The others pass the environment to a process or a library, or mark a process.
    ignores: [
      'src/config.ts',
      ...['boot/workers', 'cli/store', 'cli/backup/pg-tools'].map((name) => `src/${name}.ts`),
      ...['database/embedded/environment', 'storage/s3-client'].map((name) => `src/platform/${name}.ts`),
    ],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Settings are read by config.ts.' },
      ],
    },
  },
  {
    files: ['web/**/*.ts', 'web/**/*.tsx', 'client/src/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'crypto', property: 'randomUUID', message: 'Pages without HTTPS lack it: use createKey.' },
        { object: 'crypto', property: 'subtle', message: 'Pages without HTTPS lack it.' },
      ],
    },
  },
  {
    files: DECISION_FILES,
    rules: { 'no-restricted-syntax': ['error', SPREAD_LITERAL, ...SQL, ...WAITING] },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // In test code response bodies are untyped JSON.
      '@typescript-eslint/no-explicit-any': 'off',
    },
  },
  {
    files: ['docs-content/site/assets/*.js'],
    languageOptions: {
      sourceType: 'module',
      globals: Object.fromEntries(
        [
          'document',
          'navigator',
          'IntersectionObserver',
          'fetch',
          'sessionStorage',
          'location',
          'performance',
          'setTimeout',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['**/*.js', '**/*.cjs'],
    ignores: ['docs-content/site/assets/*.js'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: {
        module: 'writable',
        require: 'readonly',
        __dirname: 'readonly',
        process: 'readonly',
        console: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        window: 'readonly',
      },
    },
  },
);
