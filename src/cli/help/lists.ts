/** Algorithms of `rank`, by name. */
export const algorithmNames = ['pagerank', 'partitioned', 'opic', 'in-degree', 'scores'] as const;

/** Numbers of processors that `tune --table` compares: those of the paper's figures. */
export const tableProcessors = [1, 2, 4, 8, 16] as const;
