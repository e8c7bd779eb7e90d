import { expect, it } from 'vitest';
import { say } from './messages.ts';
import { inOneDirection } from './one-direction.ts';

it('a name in a sentence turns nothing around that stands behind it, and keeps its letters', () => {
  for (const turn of [
    '\u202A',
    '\u202B',
    '\u202C',
    '\u202D',
    '\u202E',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u2069',
  ])
    expect(say('no_such_call', 'en', { method: 'GET', path: `/a${turn}b` })).toBe(
      'there is no such call: GET /ab',
    );
  for (const name of ['محمد', 'שלום', 'ab-1', '👩‍💻', '{path}']) expect(inOneDirection(name)).toBe(name);
});
