import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { addressOf, hangUp, listening } from '../../../outbound/testing/local-server.ts';

type Body = Readonly<Record<string, unknown>>;

/** One request as the upstream receives it. */
export interface Asked {
  readonly body: Body;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Resolves when the caller is gone. */
  readonly gone: Promise<void>;
}

/** Starts an upstream of the Responses format. The test says how each request is answered, by its number from 1. */
export const openUpstream = async (answer: (asked: Asked, number: number) => unknown) => {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString()) as Body;
      const gone = new Promise<void>((resolve) => response.once('close', () => resolve()));
      const one = { body, request, response, gone };
      asked.push(one);
      void answer(one, asked.length);
    });
  });
  await listening(server);
  return {
    url: addressOf(server),
    asked,
    close: () => {
      hangUp(server);
    },
  };
};

const event = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: 0, ...fields })}\n\n`;

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 120,
};

/** Begins a stream and its message. */
export const begin = ({ body, response }: Asked, id: string): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const head = { id, object: 'response', created_at: 1, model: body['model'], status: 'in_progress' };
  response.write(event('response.created', { response: head }));
  response.write(event('response.in_progress', { response: head }));
};

/** Begins the text of a message, which `say` continues. */
export const beginText = ({ response }: Asked): void => {
  const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
  response.write(event('response.output_item.added', { output_index: 0, item }));
  const part = { type: 'output_text', text: '', annotations: [] };
  response.write(
    event('response.content_part.added', { item_id: 'msg_1', output_index: 0, content_index: 0, part }),
  );
};

export const say = ({ response }: Asked, delta: string): boolean =>
  response.write(
    event('response.output_text.delta', { item_id: 'msg_1', output_index: 0, content_index: 0, delta }),
  );

/** Ends the stream with a thought and a message, or with the given items. */
export const end = (
  { body, response }: Asked,
  id: string,
  text: string,
  status: 'completed' | 'incomplete' = 'completed',
): void => {
  const output = [
    { type: 'reasoning', id: `rs_${id}`, summary: [], encrypted_content: 'sealed' },
    {
      type: 'message',
      id: `msg_${id}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    },
  ];
  for (const [output_index, item] of output.entries())
    response.write(event('response.output_item.done', { output_index, item }));
  const head = { id, object: 'response', created_at: 1, model: body['model'], status };
  response.end(event(`response.${status}`, { response: { ...head, output, usage: USAGE } }));
};

export const answerAtOnce = (asked: Asked, number: number): void => {
  const id = `resp_${String(number)}`;
  begin(asked, id);
  say(asked, 'hello');
  end(asked, id, 'hello');
};
