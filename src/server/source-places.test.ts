import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inSources, originsIn } from './source-places.ts';

/** Maps that other tools have written: of minified files, the first from many sources. */
const MAPS = [
  '@testing-library/dom/dist/@testing-library/dom.umd.min.js.map',
  'otpauth/dist/otpauth.esm.min.js.map',
];

it.each(MAPS)('places are found where Node finds them: %s', (path) => {
  const map: { file: string; version: number; sources: string[]; names: string[]; mappings: string } =
    JSON.parse(readFileSync(join('node_modules', path), 'utf8'));
  const node = new SourceMap({ ...map, sourcesContent: [], sourceRoot: '' });
  const rows = map.mappings.split(';');
  const longest = Math.max(...rows.map(({ length }) => length));
  let found = 0;
  fc.assert(
    fc.property(fc.nat(rows.length + 2), fc.nat(longest), (line, column) => {
      const entry = node.findEntry(line, column);
      const isInLine = 'generatedLine' in entry && entry.generatedLine === line;
      const place = { line, column };
      const beside = { line, column: column >> 1 };
      const origin = originsIn(map.mappings, [beside, place]).get(place);
      if (origin !== undefined) found += 1;
      expect(origin && [map.sources[origin.source], origin.line, origin.column]).toEqual(
        isInLine && entry.originalSource !== undefined
          ? [entry.originalSource, entry.originalLine, entry.originalColumn]
          : undefined,
      );
    }),
    { numRuns: 400 },
  );
  expect(found).toBeGreaterThan(20);
});

it('a text without places in the bundle, and a place whose map is missing, stay as they are', () => {
  const here = new URL('gone.js', import.meta.url).href;
  for (const text of ['', 'at run (node:internal/x:1:2)', `at run (${here}:3:14)`])
    expect(inSources(text)).toBe(text);
});
