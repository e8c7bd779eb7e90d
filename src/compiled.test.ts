import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'oxc-transform-react';
import { expect, it } from 'vitest';

const kit = join(import.meta.dirname, 'console/kit');

/**
 * React's compiler says nothing of what it does not understand, and leaves the whole component or hook as it is. One such hook
 * gave every list new functions with each change, which drew its toolbar, its menus and the heads of its columns again.
 */
it('React’s compiler takes every component and hook of the kit', async () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: kit }).filter((file) => !file.includes('.test.'));
  expect(files.length).toBeGreaterThan(100);
  const left = await Promise.all(
    files.map(async (file) => {
      const code = readFileSync(join(kit, file), 'utf8');
      const { errors } = await transform(file, code, { reactCompiler: { reportDiagnostics: true } });
      return errors.map(({ message }) => `${file}: ${message}`);
    }),
  );
  expect(left.flat()).toEqual([]);
});
