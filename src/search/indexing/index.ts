export { PagesToIndex, type PagesOptions } from './pages-to-index.ts';
