import type { HeavyCall } from './call.ts';
import { CHAT, json, many, MEGABYTE, prose } from './texts.ts';

/** Bodies of all operations except chats, and bodies just below the size that goes to another thread. */

const NAMES = { same: 'repeated', claude: 'to Messages', gem: 'to Gemini' } as const;
/** Just below the size that goes to another thread. */
const HALF_MEGABYTE = 510 * 1024;
const MOST_VALUES = 9_900;

const part = (name: string, value: string): string =>
  `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const FILE = '--B\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\n\r\nID3\r\n--B--\r\n';
const PICTURE =
  '--B\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nPNG\r\n--B--\r\n';
const form = (path: string, name: string, text: () => string, file = FILE): HeavyCall => ({
  name,
  path,
  headers: { 'content-type': 'multipart/form-data; boundary=B' },
  body: () => Buffer.from(part('model', 'same') + text() + file),
});
const call = (path: string, name: string, body: () => unknown): HeavyCall => ({
  name,
  path,
  body: () => json(body()),
});

const operations: HeavyCall[] = [
  call('/v1/rerank', 'rerank, 10,000 long documents', () => ({
    model: 'same',
    query: 'x',
    documents: many(10_000, () => prose(2500)),
  })),
  call('/v1/rerank', 'rerank, 10,000 documents of fields', () => ({
    model: 'same',
    query: 'x',
    documents: many(10_000, (at) => ({ id: at, title: prose(60), text: prose(60), tags: ['a', 'b'] })),
  })),
  call('/v1/rerank', 'rerank, a query of 30 MB', () => ({
    model: 'same',
    query: prose(30 * MEGABYTE),
    documents: ['a'],
  })),
  call('/v1/images/generations', 'pictures, 30 MB of words', () => ({
    model: 'same',
    prompt: prose(30 * MEGABYTE),
  })),
  call('/v1/images/generations', 'pictures, 30 MB beside the words', () => ({
    model: 'same',
    prompt: 'a cat',
    image: many(10, () => 'iVBORw0KGgoA'.repeat(260_000)),
  })),
  call('/v1/images/generations', 'pictures, 480,000 numbers', () => ({
    model: 'same',
    prompt: 'a cat',
    more: many(480_000, () => 0),
  })),
  call('/v1/audio/speech', 'speech, 30 MB', () => ({
    model: 'same',
    voice: 'alloy',
    input: prose(30 * MEGABYTE),
  })),
  call('/v1/audio/speech', 'speech, 480,000 numbers', () => ({
    model: 'same',
    voice: 'alloy',
    input: 'x',
    more: many(480_000, () => 0),
  })),
  call('/v1/completions', 'completions, 30 MB', () => ({ model: 'same', prompt: prose(30 * MEGABYTE) })),
  call('/v1/completions', 'completions, 400,000 numbers', () => ({
    model: 'same',
    prompt: many(400_000, (at) => at),
  })),
  call('/v1/edits', 'edits, 30 MB', () => ({
    model: 'same',
    instruction: 'x',
    input: prose(30 * MEGABYTE),
  })),
  call('/v1/responses/compact', 'compact, 30 MB', () => ({
    model: 'same',
    input: [{ role: 'user', content: prose(30 * MEGABYTE) }],
  })),
  call('/v1beta/models/same:embedContent', 'embedContent, 30 MB', () => ({
    content: { parts: [{ text: prose(30 * MEGABYTE) }] },
  })),
  call('/v1beta/models/gem:batchEmbedContents', 'batchEmbedContents, 30,000 texts', () => ({
    requests: many(30_000, () => ({ model: 'models/gem', content: { parts: [{ text: prose(60) }] } })),
  })),
  form('/v1/audio/transcriptions', 'a form with 900 KB of words', () => part('prompt', prose(900_000))),
  form('/v1/audio/transcriptions', 'a form with 20 MB of words', () => part('prompt', prose(20_000_000))),
  form('/v1/audio/transcriptions', 'a form of 200,000 fields for sound', () =>
    many(200_000, (at) => part(`f${at}`, '1')).join(''),
  ),
  form(
    '/v1/images/edits',
    'a form with 900 KB of words for a picture',
    () => part('prompt', prose(900_000)),
    PICTURE,
  ),
  form('/v1/images/edits', 'a form with 30 MB of boundaries', () => '--B\r\n'.repeat(5_000_000), PICTURE),
  {
    name: 'a form of 30 MB of picture',
    path: '/v1/images/edits',
    headers: { 'content-type': 'multipart/form-data; boundary=B' },
    body: () =>
      Buffer.concat([
        Buffer.from(
          `${part('model', 'same')}${part('prompt', 'a cat')}--B\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n`,
        ),
        Buffer.alloc(30 * MEGABYTE, '\r\n-'),
        Buffer.from('\r\n--B--\r\n'),
      ]),
  },
  { name: '15 KB of query', path: `${CHAT}?${'a=b&'.repeat(3500)}`, body: () => json(say('x')) },
  {
    name: '15 KB of headers',
    path: CHAT,
    headers: Object.fromEntries(many(200, (at) => [`x-${at}`, prose(60)])),
    body: () => json(say('x')),
  },
];

const say = (content: unknown, model = 'same') => ({
  model,
  max_tokens: 16,
  messages: [{ role: 'user', content }],
});

const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

const nearBodies: readonly (readonly [string, (model: string) => unknown])[] = [
  ['500 KB of words', (model) => say(prose(HALF_MEGABYTE - 200), model)],
  ['500 KB of \\"', (model) => say('"'.repeat(HALF_MEGABYTE / 2 - 200), model)],
  ['500 KB of \\u0001', (model) => say('\u0001'.repeat(HALF_MEGABYTE / 6 - 200), model)],
  ['500 KB of Chinese', (model) => say('敏捷的棕色狐狸'.repeat(HALF_MEGABYTE / 21 - 20), model)],
  [
    '500 KB in 2,400 turns',
    (model) => ({
      model,
      max_tokens: 16,
      messages: many(2400, (at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: prose(150) })),
    }),
  ],
  [
    '3,000 parts',
    (model) =>
      say(
        many(3000, () => ({ type: 'text', text: prose(120) })),
        model,
      ),
  ],
  [
    '900 tools in 300 KB',
    (model) => ({
      ...say('x', model),
      tools: many(900, (at) => ({
        type: 'function',
        function: {
          name: `tool_${at}`,
          description: prose(60),
          parameters: { type: 'object', properties: { a: { type: 'string', description: 'x' } } },
        },
      })),
    }),
  ],
  [
    '1,000 calls of tools and their results',
    (model) => ({
      model,
      max_tokens: 16,
      messages: [
        { role: 'user', content: 'x' },
        ...many(1000, (at) => [
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
          },
          { role: 'tool', tool_call_id: `c${at}`, content: prose(200) },
        ]).flat(),
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
    }),
  ],
  [
    'a schema of 4,800 names',
    (model) => ({
      ...say('x', model),
      tools: [
        {
          type: 'function',
          function: {
            name: 'f',
            parameters: {
              type: 'object',
              properties: Object.fromEntries(many(3200, (at) => [`p${at}`, { type: 'string' }])),
            },
          },
        },
      ],
    }),
  ],
  [
    'a schema 240 deep',
    (model) => ({
      ...say('x', model),
      tools: [{ type: 'function', function: { name: 'f', parameters: { a: deep(240) } } }],
    }),
  ],
  ['9,900 numbers', (model) => ({ ...say('x', model), stop: many(MOST_VALUES, String) })],
  [
    '9,000 names of 50 letters',
    (model) => ({
      ...say('x', model),
      metadata: Object.fromEntries(many(9000, (at) => [`${at}${'n'.repeat(45)}`, 'x'])),
    }),
  ],
  [
    '9,000 names at the top',
    (model) => ({
      ...say('x', model),
      ...Object.fromEntries(many(9000, (at) => [`${at}${'n'.repeat(45)}`, 'x'])),
    }),
  ],
];

const near: HeavyCall[] = (['same', 'claude', 'gem'] as const).flatMap((model) =>
  nearBodies.map(([name, body]) => call(CHAT, `near: ${name}, ${NAMES[model]}`, () => body(model))),
);

const rest: HeavyCall[] = [
  call('/v1/embeddings', 'near: embeddings, 9,900 numbers', () => ({
    model: 'same',
    input: many(MOST_VALUES, (at) => at),
  })),
  call('/v1/rerank', 'near: rerank, 9,000 documents', () => ({
    model: 'same',
    query: 'x',
    documents: many(9000, () => prose(50)),
  })),
  call('/v1/messages/count_tokens', 'near: count 500 KB', () => say(prose(HALF_MEGABYTE - 200))),
  call('/v1/messages/count_tokens', 'near: count 500 KB of Chinese', () =>
    say('敏捷的棕色狐狸'.repeat(HALF_MEGABYTE / 21 - 20)),
  ),
  call('/v1/messages/count_tokens', 'near: count 500 KB of random letters', () =>
    say(many(HALF_MEGABYTE / 6 - 200, (at) => ((at * 2654435761) >>> 4).toString(36).slice(-6)).join('')),
  ),
  call('/v1/messages', 'near: Messages, 500 KB, to chat', () => ({
    model: 'same',
    max_tokens: 16,
    messages: many(2400, (at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: prose(150) })),
  })),
  call('/v1/responses', 'near: Responses, 2,400 items, to Messages', () => ({
    model: 'claude',
    input: many(2400, (at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: prose(150) })),
  })),
];

export const heavyOperations: readonly HeavyCall[] = [...operations, ...near, ...rest];
