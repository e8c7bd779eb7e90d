import { describe, expect, test } from 'vitest';
import type { Egress } from '../dialects/dialect.ts';
import { fold } from '../dialects/testing/fold.ts';
import { cohereChat } from './cohere/cohere.ts';
import { tencentChat } from './tencent/tencent-chat.ts';
import { framesOf, readStream } from '../dialects/testing/streams.ts';
import { hasRecordings, recordedExchanges } from '../dialects/testing/recorded-exchanges.ts';

interface Exchange {
  readonly id: string;
  readonly response: { readonly status: number; readonly body?: unknown; readonly sse?: string };
}

/** What to look for in the JSON of a reply, using only its fields. */
interface Shape {
  readonly egress: Egress;
  readonly files: RegExp;
  readonly text: RegExp;
  readonly calls: RegExp;
}

const shapes: readonly (readonly [string, Shape])[] = [
  [
    'Cohere',
    {
      egress: cohereChat,
      files: /\.cohere\.chat\.(?:stream|unary)\./,
      text: /"text":("(?:[^"\\]|\\.)*")/g,
      calls: /"type":"function"/g,
    },
  ],
  [
    'Tencent',
    {
      egress: tencentChat,
      files: /\.tencent\.ChatCompletions\./,
      text: /"Content":("(?:[^"\\]|\\.)*")/g,
      calls: /"Type":"function"/g,
    },
  ],
];

const matches = (json: string, shape: RegExp): string[] =>
  [...json.matchAll(shape)].map(([, text]) => (text === undefined ? '' : String(JSON.parse(text))));

const load = (files: RegExp): Exchange[] => recordedExchanges(files) as Exchange[];

const readPieces = async (egress: Egress, chunks: readonly Buffer[]) => {
  const frames = framesOf(chunks);
  const events = await Array.fromAsync(readStream(egress, frames));
  return { taps: frames.map((frame) => egress.tap(frame)), told: fold(events) };
};

describe.skipIf(!hasRecordings).each(shapes)(
  'recorded traffic of %s (needs TOLLGATE_RECORDINGS)',
  (_, shape) => {
    const { egress } = shape;

    test('a stream says what its JSON says, however it is cut, and the tap agrees', async () => {
      const streams = load(shape.files).filter(({ response }) => response.sse !== undefined);
      expect(streams.length).toBeGreaterThan(0);
      for (const { id, response } of streams) {
        const bytes = Buffer.from(response.sse ?? '');
        const { taps, told } = await readPieces(egress, [bytes]);
        // What is quoted of a source is no part of the answer.
        const json = bytes
          .toString()
          .split('\n')
          .filter((line) => !line.includes('"citation-start"'))
          .join('\n');
        const [choice] = Object.values(told.choices);
        expect({ id, text: choice?.text }).toEqual({ id, text: matches(json, shape.text).join('') });
        expect({ id, calls: choice?.calls.length }).toEqual({ id, calls: matches(json, shape.calls).length });
        expect(choice?.finish).toBeDefined();
        expect(taps.findLast((tapped) => tapped?.usage !== undefined)?.usage).toEqual(told.usage);
        const single = [...bytes].map((byte) => Buffer.from([byte]));
        expect({ id, told: (await readPieces(egress, single)).told }).toEqual({ id, told });
      }
    });

    test('a whole reply says what its JSON says, an error is one', () => {
      const wholes = load(shape.files).filter(({ response }) => typeof response.body === 'object');
      expect(wholes.length).toBeGreaterThan(2);
      for (const { id, response } of wholes) {
        const failed =
          response.status >= 400
            ? egress.readError(response.status, response.body)
            : egress.tapWhole(response.body).error;
        const told = fold(egress.readWhole(response.body));
        const json = JSON.stringify(response.body);
        const text = told.choices[0]?.text ?? '';
        const said = failed?.upstream?.message ?? '';
        expect({
          id,
          ok: failed === undefined ? matches(json, shape.text).includes(text) : said !== '',
        }).toEqual({
          id,
          ok: true,
        });
        expect({ id, usage: egress.tapWhole(response.body).usage }).toEqual({ id, usage: told.usage });
      }
    });
  },
);
