// tslab runs cells as CommonJS, which cannot load ES modules; the import() of a plain file can.
exports.orbweaver = () => import('../dist/index.js');
exports.crawl = () => import('../dist/crawl.js');
// Rooms without a door of their own.
exports.bench = () => import('../dist/questions/bench/index.js');
exports.service = () => import('../dist/views/service/index.js');
exports.settings = () => import('../dist/core/settings/index.js');
exports.plot = () => import('@observablehq/plot');
