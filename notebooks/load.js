// tslab runs cells as CommonJS, which cannot load ES modules; the import() of a plain file can.
exports.orbweaver = () => import('../dist/index.js');
exports.bench = () => import('../dist/bench/index.js');
exports.crawl = () => import('../dist/crawl/index.js');
exports.service = () => import('../dist/service/index.js');
exports.plot = () => import('@observablehq/plot');
