import { parseArgs } from 'node:util';
import { newFolder } from '../cli/command.ts';
import { crawlDocs, packagesAbsent } from './docs.ts';

const { values: { root, out = newFolder() } } = parseArgs({ options: { root: { type: 'string', default: '/' }, out: { type: 'string' } } });
const absent = packagesAbsent(root);
if (absent.length > 0) console.log(`skipped: not below ${root}: ${absent.join(', ')} (apt-get download PACKAGE, dpkg-deb -x PACKAGE_*.deb FOLDER, --root FOLDER)`);
else {
  console.log(out);
  process.exitCode = (await crawlDocs(root, out, console.log)) ? 0 : 1;
}
