import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { addressOf, listening } from '../../outbound/testing/local-server.ts';

/**
 * An upstream that answers every chat, embedding, picture (`a series of 3` makes three, choices too) and model list,
 * and records what it was sent; under `/echo` it repeats the key.
 */
export interface SmallUpstream {
  readonly url: string;
  readonly requests: readonly {
    readonly path: string;
    readonly authorization: string;
    readonly contentType: string;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
  }[];
  close(): Promise<void>;
}

const chatOf = (choices: number): object => ({
  id: 'chat-1',
  object: 'chat.completion',
  model: 'gpt-small',
  choices: Array.from({ length: choices }, (_, index) => ({
    index,
    message: { role: 'assistant', content: 'Hi.' },
    finish_reason: 'stop',
  })),
  usage: { prompt_tokens: 8, completion_tokens: 2 * choices, total_tokens: 8 + 2 * choices },
});

const answers: readonly (readonly [RegExp, unknown])[] = [
  [/\/dashboard\/billing\/subscription$/, { hard_limit_usd: 20 }],
  [/\/dashboard\/billing\/usage\?/, { total_usage: 750 }],
  [
    /\/family\/api\/pricing$/,
    {
      success: true,
      data: [
        { model_name: 'gpt-small', quota_type: 0, model_ratio: 0.5, completion_ratio: 3 },
        { model_name: 'drawing', quota_type: 1, model_price: 0.04 },
        { model_name: 'not-called', quota_type: 1, model_price: 1 },
        'no row',
      ],
      group_ratio: { default: 1, vip: 0.8, broken: '2', toString: 3 },
    },
  ],
  [/\/models$/, { object: 'list', data: [{ id: 'gpt-small' }, { id: 'bad id<script>' }, { id: 'a/b:c' }] }],
  [
    /\/embeddings$/,
    { object: 'list', data: [{ embedding: [0.5], index: 0 }], usage: { prompt_tokens: 2, total_tokens: 2 } },
  ],
  [
    /\/v1\/completions$/,
    {
      id: 'text-1',
      object: 'text_completion',
      choices: [{ index: 0, text: 'Hi.', finish_reason: 'stop' }],
      usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
    },
  ],
  [/\/images\/generations$/, { created: 1, data: [{ b64_json: 'AAAA' }] }],
  [/\/images\/edits$/, { created: 1, data: [{ b64_json: 'AAAA' }] }],
  [/\/chat\/completions$/, chatOf(1)],
];

/** Undefined if the body broke off. */
const bodyOf = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString();
};

export const startSmallUpstream = async (): Promise<SmallUpstream> => {
  const requests: SmallUpstream['requests'][number][] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      if (body === undefined) return;
      const path = request.url ?? '';
      const { authorization = '', 'content-type': contentType = '' } = request.headers;
      requests.push({ path, authorization, contentType, headers: request.headers, body });
      const answer = answers.find(([pattern]) => pattern.test(path))?.[1];
      if (path.startsWith('/echo/')) {
        const message = `Incorrect API key provided: ${authorization}`;
        response
          .writeHead(401, { 'Content-Type': 'application/json' })
          .end(JSON.stringify({ error: { message } }));
        return;
      }
      response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
      const series = / series of (\d)"/.exec(body)?.[1];
      if (series !== undefined) {
        if (path.endsWith('/chat/completions')) {
          response.end(JSON.stringify(chatOf(Number(series))));
          return;
        }
        const picture = { b64_json: 'AAAA' };
        const refused = { error: { message: 'unsafe' } };
        const data = [...Array.from({ length: Number(series) }, () => picture), refused];
        response.end(JSON.stringify({ created: 1, data }));
        return;
      }
      response.end(JSON.stringify(answer ?? { error: { message: 'no such path', type: 'not_found' } }));
    });
  });
  await listening(server);
  return {
    url: addressOf(server),
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
