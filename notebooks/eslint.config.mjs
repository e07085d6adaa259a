import tseslint from 'typescript-eslint';

// tslab checks the types of what the notebooks import; no tsconfig covers this folder.
export default tseslint.config(...tseslint.configs.strict, { files: ['load.js'], languageOptions: { sourceType: 'commonjs', globals: { exports: 'writable' } } });
