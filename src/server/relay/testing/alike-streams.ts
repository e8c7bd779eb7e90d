import fc from 'fast-check';
import type { ChatEvent } from '#core/chat/event.ts';
import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { anthropicReply } from '../../dialects/testing/anthropic-replies.ts';
import { reply as chatReply } from '../../dialects/testing/chat-replies.ts';

/** The channel's key, which some texts contain. */
export const SECRET = 'sk-secret-0123456789';

/** Two formats, and the frames that streams of the first are made of. */
export interface Pair {
  readonly upstream: Dialect;
  readonly caller: Dialect;
  readonly reply: fc.Arbitrary<ChatEvent[]>;
  /** Frames with `TEXT` in place of the text. */
  readonly shapes: readonly string[];
}

const chat = (rest: string): string =>
  `data: {"id":"c","object":"chat.completion.chunk","created":7,"model":"m",${rest}}\n\n`;
const named = (data: string, lineEnd = '\n'): string =>
  `event: content_block_delta${lineEnd}data: ${data}${lineEnd}${lineEnd}`;

export const pairs: readonly Pair[] = [
  {
    upstream: anthropicMessages,
    caller: openaiChat,
    reply: anthropicReply,
    shapes: [
      named('{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"TEXT"}}'),
      named('{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"TEXT"} SPACES}'),
      named('{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"TEXT"}}', '\r\n'),
      'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"TEXT"}}\nSPACES\n',
      'data: {"delta": {"text": "TEXT", "type": "text_delta"}, "type": "content_block_delta", "index": 1}\n\n',
      named('{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"TEXT"}}'),
    ],
  },
  {
    upstream: openaiChat,
    caller: anthropicMessages,
    reply: chatReply,
    shapes: [
      chat('"choices":[{"index":0,"delta":{"content":"TEXT"},"finish_reason":null}]'),
      chat('"choices":[{"index":0,"delta":{"content":"TEXT"},"logprobs":null}],"obfuscation":"PADDING"'),
      chat('"choices":[{"index":1,"delta":{"content":"TEXT"}}]'),
      chat('"choices":[{"index":0,"delta":{"role":"assistant","content":"TEXT","reasoning_content":""}}]'),
      chat('"choices":[{"index":0,"delta":{"content":"a"},"logprobs":{"content":[{"token":"TEXT"}]}}]'),
      chat('"choices":[{"index":0,"delta":{"content":"a","reasoning":"TEXT"}}]'),
    ],
  },
];

/** How a key that arrives in pieces is shown. */
export const SHOWN_PIECES = SECRET.slice(0, 6).padEnd(SECRET.length, '*');

/** Texts that carry the key in pieces: in two, in many, and alone behind other text. */
export const inPieces: readonly (readonly string[])[] = [
  ['one ', 'two ', 'three ', `it is ${SECRET.slice(0, 15)}`, `${SECRET.slice(15)} and `, 'more'],
  ['one ', 'two ', 'three it is ', ...SECRET.split(''), ' and more'],
  ['one two three it is ', SECRET.slice(0, -1), SECRET.slice(-1), ' and ', 'more'],
];

/** Joins the texts of a stream, in any format. */
export const textsOf = (stream: string): string =>
  [...stream.matchAll(/"(?:content|text|delta)":\s*"((?:[^"\\]|\\.)*)"/g)]
    .map(([, text = '']) => text)
    .join('');

/** Cuts the same bytes into pieces. */
export const cutAt = (bytes: Buffer, places: readonly number[]): Buffer[] => {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length));
};

/** Characters as they appear in JSON; most would be written the same way again. */
const letters = fc.oneof(
  { weight: 12, arbitrary: fc.stringMatching(/^[A-Za-z ]{1,9}$/) },
  {
    weight: 5,
    arbitrary: fc.constantFrom('\\n', 'a\\tb', '\\"', '\\\\', '好', '👋', 'é\\n', '\u007f', '\u2028'),
  },
  {
    weight: 3,
    arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => JSON.stringify(text).slice(1, -1)),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('', '\\u00e9', '\\/', '\\ud83d', '"', '\\', '\n', ':', ',', '\u0001'),
  },
  { weight: 1, arbitrary: fc.constantFrom(SECRET, `a${SECRET}b`, SECRET.slice(1)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('s', `a${SECRET.slice(0, 9)}`, SECRET.slice(9), SECRET.slice(9, 15)),
  },
);
/** Text followed by bytes that are not UTF-8. */
const spoiled = fc.oneof(
  { weight: 20, arbitrary: fc.constant(Buffer.alloc(0)) },
  fc.constantFrom(Buffer.from([0xff]), Buffer.from([0xc3]), Buffer.from([0xed, 0xa0, 0x80])),
);

/** Streams of runs of frames of one shape, with other frames of the same format in between. */
export const streamOf = ({ upstream, reply, shapes }: Pair): fc.Arbitrary<Buffer> => {
  const like = (shape: string): fc.Arbitrary<Buffer> =>
    fc
      .tuple(
        letters,
        fc.constantFrom(0, 0, 1, 4),
        fc.constantFrom('', 'x', 'xy', 'xyz', '\\"', '\\n', 'é'),
        spoiled,
      )
      .map(([text, spaces, padding, bytes]) => {
        const [before = '', after = ''] = shape
          .replace('SPACES', ' '.repeat(spaces))
          .replace('PADDING', padding)
          .split('TEXT');
        return Buffer.concat([Buffer.from(before + text), bytes, Buffer.from(after)]);
      });
  const plain = (shape: string): Buffer =>
    Buffer.from(shape.replace('TEXT', 'plain ').replace('SPACES', '').replace('PADDING', 'x'));
  const row = fc
    .constantFrom(...shapes)
    .chain((shape) =>
      fc
        .array(like(shape), { minLength: 1, maxLength: 8, size: 'max' })
        .map((frames) => [plain(shape), plain(shape), ...frames]),
    );
  const others = reply.map((events) => {
    const writer = upstream.openWriter();
    return events.flatMap((event) => writer.write(event)).map(({ raw }) => raw);
  });
  const beside = fc.constantFrom(
    'event: ping\ndata: {"type":"ping"}\n\n',
    ': still here\n\n',
    'data: [DONE]\n\n',
    'data:{}\r\r',
  );
  return fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: row },
        others,
        beside.map((frame) => [Buffer.from(frame)]),
      ),
      { maxLength: 6, size: 'max' },
    )
    .map((rows) => Buffer.concat(rows.flat()));
};
