import { expect, it } from 'vitest';
import { Secret } from '#core/secrets/secret.ts';
import { createJsonLog } from './system.ts';

it('a line is one JSON object, with errors readable and secrets not', () => {
  const lines: string[] = [];
  const log = createJsonLog(
    (line) => void lines.push(line),
    () => 0,
  );
  log.error('went wrong', {
    key: new Secret('sk-canary'),
    error: new Error('outer', { cause: new TypeError('inner') }),
    n: 1,
  });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    time: '1970-01-01T00:00:00.000Z',
    level: 'error',
    message: 'went wrong',
    key: '[secret]',
    n: 1,
    error: { name: 'Error', message: 'outer', cause: { name: 'TypeError', message: 'inner' } },
  });
  expect(lines[0]).not.toContain('canary');
});
