export { PagesToIndex, type PagesOptions, type PageToIndex } from './pages-to-index.ts';
