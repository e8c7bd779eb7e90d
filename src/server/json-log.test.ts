import { expect, it } from 'vitest';
import { Secret } from '#core/secrets/secret.ts';
import { createJsonLog, createPrinter } from './system.ts';

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

/** Output that fails or stands still for as long as it is told to, and goes on afterwards, as `process.stdout` does. */
const printed = () => {
  const texts: string[] = [];
  const output = {
    how: 'writes' as 'writes' | 'fails' | 'stands still',
    writableLength: 0,
    on: () => {},
    write(text: string, done: (error?: Error) => void) {
      if (output.how === 'fails') return done(new Error('ENOSPC'));
      texts.push(text);
      if (output.how === 'stands still') output.writableLength += text.length;
      return done();
    },
  };
  return { texts, output, print: createPrinter(output, () => 0) };
};

it('a log that cannot be written says later how many lines are missing', () => {
  const { texts, output, print } = printed();
  output.how = 'fails';
  for (const text of ['a\n', 'b\n', 'c\n']) print(text);
  output.how = 'writes';
  for (const text of ['d\n', 'e\n']) print(text);
  expect(texts.slice(1)).toEqual(['d\n', 'e\n']);
  expect(JSON.parse(texts[0]!)).toMatchObject({ message: 'lines of the log could not be printed', lines: 3 });
});

it('of a log that nobody reads a megabyte is kept, and then it is said how many lines are missing', () => {
  const { texts, output, print } = printed();
  output.how = 'stands still';
  const line = `${'x'.repeat(100_000)}\n`;
  for (let count = 0; count < 20; count += 1) print(line);
  expect(texts).toHaveLength(11);
  output.writableLength = 0;
  print('z\n');
  expect(texts.slice(12)).toEqual(['z\n']);
  expect(JSON.parse(texts[11]!)).toMatchObject({ level: 'warn', lines: 9 });
});
