import { createServer, type ServerResponse } from 'node:http';
import { drained } from '../../outbound/drained.ts';
import { addressOf, listening } from '../../outbound/testing/local-server.ts';

/** An upstream that streams words in any chat format until its caller leaves, ignoring any length limit. */
export interface EndlessUpstream {
  readonly url: string;
  /** The bodies it has received, newest last. */
  readonly bodies: Record<string, unknown>[];
  /** The number of streams that are open now. */
  readonly open: () => number;
  /** The number of frames in each write. */
  framesAtOnce: number;
  /** The bytes of text in each frame. */
  textBytes: number;
  /** What it says again and again. */
  letters: string;
  close(): Promise<void>;
}

const event = (data: object, name = ''): string =>
  `${name === '' ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

const HEAD = { id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
const RESPONSE = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'in_progress',
  model: 'm',
  output: [],
};

/** For each format, the frames before the first word, and the frame of a word. */
const formats = {
  chat: {
    begin: () =>
      event({
        ...HEAD,
        choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
      }),
    word: (text: string) =>
      event({ ...HEAD, choices: [{ index: 0, delta: { content: text }, finish_reason: null }] }),
  },
  messages: {
    begin: () =>
      event(
        {
          type: 'message_start',
          message: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            model: 'm',
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { input_tokens: 20, output_tokens: 1 },
          },
        },
        'message_start',
      ) +
      event(
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        'content_block_start',
      ),
    word: (text: string) =>
      event(
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
        'content_block_delta',
      ),
  },
  gemini: {
    begin: () => '',
    word: (text: string) =>
      event({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }], modelVersion: 'm' }),
  },
  responses: {
    begin: () =>
      event({ type: 'response.created', sequence_number: 0, response: RESPONSE }, 'response.created') +
      event(
        {
          type: 'response.output_item.added',
          sequence_number: 1,
          output_index: 0,
          item: { id: 'msg_1', type: 'message', status: 'in_progress', role: 'assistant', content: [] },
        },
        'response.output_item.added',
      ) +
      event(
        {
          type: 'response.content_part.added',
          sequence_number: 2,
          item_id: 'msg_1',
          output_index: 0,
          content_index: 0,
          part: { type: 'output_text', text: '', annotations: [] },
        },
        'response.content_part.added',
      ),
    word: (text: string, number: number) =>
      event(
        {
          type: 'response.output_text.delta',
          sequence_number: number + 3,
          item_id: 'msg_1',
          output_index: 0,
          content_index: 0,
          delta: text,
        },
        'response.output_text.delta',
      ),
  },
} as const;

const formatOf = (path: string) => {
  if (path.endsWith('/messages')) return formats.messages;
  if (path.endsWith('/responses')) return formats.responses;
  return path.includes('GenerateContent') ? formats.gemini : formats.chat;
};

/** Goes on in the letters with every frame. */
const textOf = ({ letters, textBytes }: EndlessUpstream, number: number): string => {
  const from = (number * textBytes) % letters.length;
  return letters.repeat(Math.ceil(textBytes / letters.length) + 1).slice(from, from + textBytes);
};

/** Writes until the reader leaves. */
const stream = async (upstream: EndlessUpstream, path: string, response: ServerResponse): Promise<void> => {
  const format = formatOf(path);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(format.begin());
  let number = 0;
  while (!response.destroyed) {
    const words = Array.from({ length: upstream.framesAtOnce }, () =>
      format.word(textOf(upstream, number), number++),
    );
    if (!response.write(words.join(''))) await drained(response);
    await new Promise((resolve) => setImmediate(resolve));
  }
};

export const startEndlessUpstream = async (): Promise<EndlessUpstream> => {
  const bodies: Record<string, unknown>[] = [];
  let open = 0;
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      bodies.push(JSON.parse(text) as Record<string, unknown>);
      open += 1;
      response.once('close', () => (open -= 1));
      void stream(upstream, (request.url ?? '').split('?')[0] ?? '', response);
    });
  });
  await listening(server);
  const upstream: EndlessUpstream = {
    url: addressOf(server),
    bodies,
    open: () => open,
    framesAtOnce: 1,
    textBytes: 40,
    letters: 'x',
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return upstream;
};
