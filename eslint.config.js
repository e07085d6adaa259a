import tseslint from 'typescript-eslint';

const clock = 'Clock and chance are values passed in: see src/README.md, "Two seams".';

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'runs/', 'coverage/', 'datasets/', 'notebooks/', 'test/policy/user-policies/', '**/*.as.ts'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['./test/tsconfig.json', './src/views/report/page/tsconfig.json', './src/views/dashboard/tsconfig.json',
          './src/views/service/search/page/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'max-lines': ['error', { max: 600 }],
      // Kernels index typed arrays whose bounds the caller has checked once; `!` says so at no cost.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    // `bench/` reads the clock because to measure time is its task; nothing of the product imports it but the command.
    ignores: ['src/questions/bench/**', 'src/machines/cluster/**', 'src/core/live/**', 'src/cli/**', 'src/views/service/**', 'src/views/dashboard/**', 'src/graphs/catalogue/download.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: clock },
        { object: 'performance', property: 'now', message: clock },
        { object: 'Math', property: 'random', message: clock },
      ],
      'no-restricted-globals': ['error', { name: 'setTimeout', message: clock }, { name: 'fetch', message: clock }],
    },
  },
  { files: ['src/cli/**', 'test/bench/**', 'test/browser/**', 'test/live-runs/**', 'test/swarm/**'], rules: { 'no-console': 'off' } },
  { files: ['*.js', '*.ts'], extends: [tseslint.configs.disableTypeChecked] },
);
