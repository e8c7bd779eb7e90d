import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// oxlint-disable-next-line no-restricted-properties -- The place of test data, not a setting of the server.
const recordings = process.env['TOLLGATE_RECORDINGS'];
const folder = join(recordings ?? '', 'exchanges');

/** Whether there are recordings of real providers, which are not part of this repository. Without them, their tests are skipped. */
export const hasRecordings = recordings !== undefined && existsSync(folder);

/** The recordings whose file names match, by default all. Each is an object with the fields of e2e/conformance/recordings.ts. */
export const recordedExchanges = (named = /[.]json$/): unknown[] =>
  readdirSync(folder)
    .filter((name) => named.test(name))
    .map((name): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8')));
