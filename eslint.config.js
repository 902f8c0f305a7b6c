import js from '@eslint/js';
import rxjsX from 'eslint-plugin-rxjs-x';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const noDefaultExport = [
  'error',
  { restrictDefaultExports: { direct: true, named: true, defaultFrom: true, namedFrom: true, namespaceFrom: true } },
];

const clocks = ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'].map((name) => ({
  name,
  message: 'Time comes from an rxjs scheduler, so that a test can make it virtual.',
}));

const globalsOfNode = Object.fromEntries(Object.getOwnPropertyNames(globalThis).map((name) => [name, 'readonly']));

/** Options that hold for every TypeScript file. */
const everywhere = {
  '@typescript-eslint/consistent-type-imports': [
    'error',
    { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false },
  ],
  '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  // A flag may change between two looks at it: a consumer can unsubscribe, or a child die, inside the call between them.
  '@typescript-eslint/no-unnecessary-condition': 'off',
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  'object-shorthand': 'error',
  'prefer-const': 'error',
  eqeqeq: 'error',
};

export default defineConfig(
  globalIgnores(['**/dist/', 'api/', 'coverage/', 'node_modules/']),
  // They are checked in projects of their own, where the packages are that they need: `npm run check:consumers`.
  globalIgnores(['examples/recipes/', 'scripts/consumers/projects/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },

  {
    files: ['**/*.js', '**/*.mjs'],
    extends: [js.configs.recommended],
    languageOptions: {
      ecmaVersion: 2023,
      sourceType: 'module',
      globals: { ...globalsOfNode, gc: 'readonly' },
    },
    rules: { eqeqeq: 'error', 'prefer-const': 'error', 'no-unused-vars': ['error', { argsIgnorePattern: '^_' }] },
  },

  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
  },

  {
    files: ['src/**/*.ts'],
    extends: [js.configs.recommended, ...tseslint.configs.strictTypeChecked, rxjsX.configs.recommended],
    rules: {
      ...everywhere,
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/prefer-readonly': 'error',
      // No truthiness test on a number or on something that may be absent: an id may be 0, a text may be empty.
      '@typescript-eslint/strict-boolean-expressions': [
        'error',
        { allowNumber: false, allowNullableBoolean: true, allowNullableObject: true, allowString: false },
      ],
      'func-style': ['error', 'expression'],
      'no-console': 'error',
      'no-restricted-exports': noDefaultExport,
      'no-restricted-globals': ['error', ...clocks],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Ask the rxjs scheduler: asyncScheduler.now().' },
        { object: 'performance', property: 'now', message: 'Ask the rxjs scheduler: asyncScheduler.now().' },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [{ name: 'zod', message: 'Import `* as z` from zod/mini: it is a fraction of the size.' }],
          patterns: [{ group: ['rxjs/internal', 'rxjs/internal/*', 'rxjs/operators'], message: 'Import from rxjs.' }],
        },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'Name each export: an export list grows only on purpose.' },
        { selector: 'PropertyDefinition[accessibility="private"]', message: 'Use a #private field.' },
        { selector: 'MethodDefinition[accessibility="private"]', message: 'Use a #private method.' },
        { selector: 'TSParameterProperty[accessibility="private"]', message: 'Use a #private field.' },
        { selector: 'TSEnumDeclaration', message: 'Use a union of literals.' },
      ],
      // An unhandled error of an Observable ends the process: each subscription says what becomes of it.
      'rxjs-x/no-ignored-error': 'error',
      'rxjs-x/no-ignored-subscribe': 'error',
      'rxjs-x/no-exposed-subjects': 'error',
      'rxjs-x/no-floating-observables': 'error',
    },
  },

  {
    files: ['spec/**/*.ts', 'examples/**/*.ts', 'scripts/**/*.ts', 'bench/**/*.ts', '*.config.ts'],
    extends: [js.configs.recommended, ...tseslint.configs.recommendedTypeChecked],
    plugins: { 'rxjs-x': rxjsX },
    rules: {
      ...everywhere,
      'rxjs-x/no-internal': 'error',
      'rxjs-x/no-topromise': 'error',
      'rxjs-x/no-floating-observables': 'error',
    },
  },

  {
    files: ['spec/**/*.ts'],
    rules: {
      // Specs hand in what no typed caller could, and stand in for functions that are asynchronous elsewhere.
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
