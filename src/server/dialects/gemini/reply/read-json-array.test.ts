import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonArrayWriter } from './json-array.ts';
import { MAX_EVENT_BYTES } from '../../sse.ts';
import { arrayAsEvents } from './read-json-array.ts';

/** Text in pieces of the given lengths, repeated. */
async function* inPieces(text: string, lengths: readonly number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

const events = async (text: string, lengths: readonly number[] = [text.length || 1]): Promise<string> => {
  let all = '';
  for await (const piece of arrayAsEvents(inPieces(text, lengths))) all += piece.toString('latin1');
  return Buffer.from(all, 'latin1').toString();
};

const elementsOf = (text: string): unknown[] =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => JSON.parse(event.slice('data: '.length)) as unknown);

it('every element is one event, however the array is laid out and wherever it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue())),
      fc.constantFrom(undefined, 2, '\t'),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
      async (elements, space, lengths) => {
        const produced = await events(JSON.stringify(elements, undefined, space), lengths);
        expect(elementsOf(produced)).toEqual(JSON.parse(JSON.stringify(elements)));
      },
    ),
    { numRuns: 60 },
  );
});

it('what this server writes as an array it reads again', async () => {
  const writer = new JsonArrayWriter();
  const written = ['{"a":"}],["}', '{"b":[{}]}'].map((data) => writer.write({ data: Buffer.from(data) }));
  const text = Buffer.concat([...written, writer.end()]).toString();
  expect(elementsOf(await events(text, [3]))).toEqual([{ a: '}],[' }, { b: [{}] }]);
});

it('end marks and broken events are left out of a JSON list', () => {
  const writer = new JsonArrayWriter();
  const written = ['{"a":1}', '[DONE]', '{"b":'].map((data) => writer.write({ data: Buffer.from(data) }));
  expect(Buffer.concat([...written, writer.end()]).toString()).toBe('[{"a":1}]');
});

it('events and single objects pass untouched', async () => {
  for (const text of ['data: {"a":1}\n\n', '{"error":{"code":400}}', ' \n{"a":[1]}', ''])
    expect(await events(text, [2])).toBe(text);
});

it('an array that breaks off gives what was whole; a list of anything else is refused', async () => {
  expect(await events('[{"a":1},\n{"b":')).toBe('data: {"a":1}\n\n');
  await expect(events('[1, 2]')).rejects.toThrow('does not contain answers');
});

it('an element may be larger than an event that is passed on, as a picture is', async () => {
  const picture = 'A'.repeat(MAX_EVENT_BYTES);
  const { length } = await events(`[{"data":"${picture}"}]`, [1024 * 1024]);
  expect(length).toBe(MAX_EVENT_BYTES + 'data: {"data":""}\n\n'.length);
});
