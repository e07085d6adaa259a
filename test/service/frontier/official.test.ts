import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FrontierServer } from '../../../src/views/service/frontier/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

// Goal: the conformity tests of crawler-commons/url-frontier, in Java, pass. They need Maven, Java and a checkout where
// `mvn -DskipTests -DskipFormatCode=true install` has run: URL_FRONTIER=PATH npx vitest run ...

const checkout = process.env['URL_FRONTIER'];
const isAtHand = checkout !== undefined && existsSync(join(checkout, 'tests/pom.xml'));
const { folder } = temporaryFolder();

const title = `the official conformity tests${isAtHand ? '' : ': skipped, URL_FRONTIER names no checkout'}`;

test.skipIf(!isAtHand)(title, async () => {
  const server = await FrontierServer.listen({ store: join(folder, 'store') });
  onTestFinished(() => server.close());
  const maven = spawn('mvn', [
    '-q', '-Durlfrontier.host=127.0.0.1', `-Durlfrontier.port=${server.port}`, '-Dmaven.test.skip=false',
    '-DskipFormatCode=true', '-pl', 'tests', 'test',
  ], { cwd: checkout, stdio: 'ignore' });
  const code = await new Promise((resolve) => maven.on('close', resolve));
  const reports = join(checkout!, 'tests/target/surefire-reports');
  const texts = readdirSync(reports).filter((name) => name.endsWith('.txt'))
    .map((name) => /Tests run: .*(?=, Time)/.exec(readFileSync(join(reports, name), 'utf8'))?.[0]);
  expect([code, texts.sort()]).toEqual([0, [
    'Tests run: 2, Failures: 0, Errors: 0, Skipped: 0', 'Tests run: 5, Failures: 0, Errors: 0, Skipped: 0',
  ]]);
}, 600_000);
