import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import { anthropicMessages } from '../dialects/anthropic-messages/anthropic-messages.ts';
import type { Dialect, StreamReader } from '../dialects/dialect.ts';
import { openaiChat } from '../dialects/openai-chat/openai-chat.ts';
import { SseParser } from '../dialects/sse.ts';
import { anthropicReply } from '../dialects/testing/anthropic-replies.ts';
import { reply as chatReply } from '../dialects/testing/chat-replies.ts';
import { newMeter } from './meter.ts';
import { Outlet } from './outlet.ts';
import { Rewriter } from './rewriter.ts';
import type { Running } from './running.ts';

const SECRET = 'sk-secret-0123456789';

interface Pair {
  readonly upstream: Dialect;
  readonly caller: Dialect;
  readonly reply: fc.Arbitrary<ChatEvent[]>;
  /** A frame with the text where `TEXT` stands. */
  readonly shapes: readonly string[];
}

const chat = (rest: string): string =>
  `data: {"id":"c","object":"chat.completion.chunk","created":7,"model":"m",${rest}}\n\n`;
const named = (data: string, lineEnd = '\n'): string =>
  `event: content_block_delta${lineEnd}data: ${data}${lineEnd}${lineEnd}`;

const pairs: readonly Pair[] = [
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

const running = (pair: Pair, openReader: () => StreamReader, written: Buffer[]): Running => {
  const reply = { write: (bytes: Buffer) => written.push(Buffer.from(bytes)) > 0 };
  const parts = {
    wire: pair.caller,
    format: { ...pair.upstream, openReader },
    meter: newMeter(),
    secret: Buffer.from(SECRET),
    outlet: new Outlet({ reply, framing: 'events' } as unknown as ConstructorParameters<typeof Outlet>[0]),
    asked: { facts: { model: 'm', wantsStreamUsage: true } },
    call: { requestId: 'r' },
    createdAtMs: 1000,
  };
  return parts as unknown as Running;
};

/** What the caller gets of a stream that came in these pieces, and what was counted. */
const rewritten = (pair: Pair, pieces: readonly Buffer[], openReader: () => StreamReader): unknown => {
  const written: Buffer[] = [];
  const call = running(pair, openReader, written);
  const rewriter = new Rewriter(call);
  const parser = new SseParser();
  let thrown: unknown;
  try {
    let isOver = false;
    for (const piece of pieces) isOver ||= rewriter.take(Buffer.from(piece), parser);
    if (!isOver) rewriter.takeFrames(parser.end());
    rewriter.end();
  } catch (error) {
    thrown = error;
    rewriter.flush();
  }
  return { said: Buffer.concat(written).toString('latin1'), meter: call.meter, thrown };
};

/** The same reader, of which nothing is known but that it reads. */
const everyFrame =
  ({ openReader }: Dialect) =>
  (): StreamReader => {
    const reader = openReader();
    return { read: (frame) => reader.read(frame), end: () => reader.end() };
  };

const cutAt = (bytes: Buffer, places: readonly number[]): Buffer[] => {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length));
};

/** As they stand in JSON, most of them as they would be written again. */
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
);
/** Behind some texts, bytes that are no UTF-8. */
const spoiled = fc.oneof(
  { weight: 20, arbitrary: fc.constant(Buffer.alloc(0)) },
  fc.constantFrom(Buffer.from([0xff]), Buffer.from([0xc3]), Buffer.from([0xed, 0xa0, 0x80])),
);

/** Frames in rows of one shape each, with other frames of the same format among them. */
const streamOf = ({ upstream, reply, shapes }: Pair): fc.Arbitrary<Buffer> => {
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

describe.each(pairs)('$upstream.name to $caller.name', (pair) => {
  test('a stream comes out with the same bytes and counts, whether or not frames alike are read, cut anywhere', () => {
    fc.assert(
      fc.property(streamOf(pair), fc.array(fc.nat(), { maxLength: 6 }), (bytes, places) => {
        const pieces = cutAt(bytes, places);
        expect(rewritten(pair, pieces, pair.upstream.openReader)).toEqual(
          rewritten(pair, pieces, everyFrame(pair.upstream)),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('of frames alike two are read, however many there are', () => {
    const [shape = ''] = pair.shapes;
    const frames = Array.from({ length: 50 }, (_, index) =>
      Buffer.from(shape.replace('TEXT', `word ${index} `)),
    );
    let reads = 0;
    const counting = (): StreamReader => {
      const reader = pair.upstream.openReader();
      return { ...reader, read: (frame) => ((reads += 1), reader.read(frame)) };
    };
    for (const pieces of [frames, [Buffer.concat(frames)], cutAt(Buffer.concat(frames), [1000, 3000])]) {
      reads = 0;
      expect(rewritten(pair, pieces, counting)).toEqual(rewritten(pair, pieces, everyFrame(pair.upstream)));
      expect(reads).toBeLessThan(4);
    }
  });

  test('a key never reaches the caller in a frame that is not read', () => {
    const [shape = ''] = pair.shapes;
    const texts = ['one ', 'two ', 'three ', `it is ${SECRET}`, `${SECRET}`];
    const pieces = texts.map((text) => Buffer.from(shape.replace('TEXT', text)));
    const { said } = rewritten(pair, pieces, pair.upstream.openReader) as { said: string };
    expect(said).not.toContain(SECRET);
    expect(said).toContain(`it is ${'*'.repeat(SECRET.length)}`);
  });
});
