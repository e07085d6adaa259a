export const algorithmNames = ['pagerank', 'partitioned', 'opic', 'in-degree', 'scores'] as const;

/** Rankings of `search`, the default first. */
export const rankingNames = ['bm25f', 'compass', 'bm25'] as const;

/** Numbers of processors that `tune --table` compares, as the paper's figures do. */
export const tableProcessors = [1, 2, 4, 8, 16] as const;
