import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The page that names a test for each guarantee stays true: every test it names is there. */

const page = readFileSync('docs/guarantees.md', 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:---|Guarantee)/.test(line));

const placesOf = (name: string): readonly string[] =>
  /\.test\.tsx?$/.test(name) ? [`src/server/${name}`, `src/${name}`] : [`e2e/${name}.test.ts`];

it.each(rows.map((row) => row.split(' | ')))('%s', (_, tests = '') => {
  const names = [...tests.split(';')[0]!.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  expect(names).not.toEqual([]);
  expect(names.filter((name) => !placesOf(name).some((place) => existsSync(place)))).toEqual([]);
});
