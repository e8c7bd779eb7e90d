import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/**
 * An upstream for streams, as cheap as Node allows. The model's name says what to send:
 * `paced-100-20` is 100 chunks, 20 ms apart; `bulk-50` is 50 MB as fast as it is read.
 */
const chunkOf = (text: string): string =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'bench',
    choices: [{ index: 0, delta: { content: text }, finish_reason: null }],
  })}\n\n`;

const end = `data: ${JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion.chunk',
  created: 1_790_000_000,
  model: 'bench',
  choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
})}\n\ndata: ${JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion.chunk',
  created: 1_790_000_000,
  model: 'bench',
  choices: [],
  usage: { prompt_tokens: 20, completion_tokens: 100, total_tokens: 120 },
})}\n\ndata: [DONE]\n\n`;

/** The same in Anthropic's format, for callers of other formats. */
const named = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const messagesStart = Buffer.from(
  named('message_start', {
    message: {
      id: 'msg_bench',
      type: 'message',
      role: 'assistant',
      model: 'bench',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 20, output_tokens: 1 },
    },
  }) + named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
);
const messagesChunk = Buffer.from(
  named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'tollgate ' } }),
);
const messagesEnd = Buffer.from(
  named('content_block_stop', { index: 0 }) +
    named('message_delta', {
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 100 },
    }) +
    named('message_stop', {}),
);

const shortChunk = Buffer.from(chunkOf('tollgate '));
const longChunk = Buffer.from(chunkOf('tollgate '.repeat(1820)));

interface Paced {
  readonly response: ServerResponse;
  readonly chunk: Buffer;
  readonly end: Buffer | string;
  left: number;
}

/** One timer for all streams of a pace: thousands of timers would distort the measurement. */
const paces = new Map<number, Set<Paced>>();

const tick = (streams: Set<Paced>): void => {
  for (const stream of streams) {
    if (stream.left-- > 0) {
      stream.response.write(stream.chunk);
    } else {
      stream.response.end(stream.end);
      streams.delete(stream);
    }
  }
};

const sendPaced = (
  response: ServerResponse,
  chunks: number,
  intervalMs: number,
  isMessages: boolean,
): void => {
  let streams = paces.get(intervalMs);
  if (streams === undefined) {
    const made = new Set<Paced>();
    streams = made;
    paces.set(intervalMs, made);
    setInterval(() => tick(made), intervalMs);
  }
  const chunk = isMessages ? messagesChunk : shortChunk;
  // The first chunk is sent with the head, so that its time through a subject does not depend on the pace.
  response.write(isMessages ? Buffer.concat([messagesStart, chunk]) : chunk);
  const stream = {
    response,
    left: chunks - 1,
    chunk,
    end: isMessages ? messagesEnd : end,
  };
  streams.add(stream);
  response.once('close', () => streams.delete(stream));
};

const sendBulk = (response: ServerResponse, megabytes: number): void => {
  let left = Math.ceil((megabytes * 1024 * 1024) / longChunk.length);
  const more = (): void => {
    while (left-- > 0) {
      if (!response.write(longChunk)) return;
    }
    response.end(end);
  };
  response.on('drain', more);
  more();
};

const answer = (request: IncomingMessage, response: ServerResponse): void => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const shape = /"(paced|bulk)-(\d+)(?:-(\d+))?"/.exec(Buffer.concat(parts).toString());
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (shape?.[1] === 'bulk') sendBulk(response, Number(shape[2]));
    else {
      const isMessages = request.url?.endsWith('/messages') === true;
      sendPaced(response, Number(shape?.[2] ?? 1), Number(shape?.[3] ?? 20), isMessages);
    }
  });
};

createServer({ keepAliveTimeout: 600_000 }, answer).listen({
  port: Number(process.argv[2]),
  host: '127.0.0.1',
  backlog: 4096,
});
