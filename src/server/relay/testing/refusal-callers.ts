import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { openCaller } from '../responses/testing/socket-caller.ts';

/** Whose documented shape an error has. */
export type Family = 'openai' | 'anthropic' | 'google' | 'midjourney' | 'suno';

/** What a caller was told. */
export interface Told {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: unknown;
}

/** What is wrong with the bytes of a call. */
export type Spoilt = 'no JSON' | 'a list' | 'too long';

export interface Asked {
  readonly url: string;
  /** Without `sk-`. */
  readonly key: string;
  readonly model: string;
  /** What the model is asked. */
  readonly words: string;
  readonly spoilt?: Spoilt;
}

/** A way to call the gateway, and whose errors it expects. */
export interface CallerKind {
  readonly family: Family;
  readonly send: (asked: Asked) => Promise<Told>;
  /** Costs nothing, asks no upstream, and is not counted in limits of calls. */
  readonly isCount?: true;
  /** Its body is not JSON, or it has none. */
  readonly hasNoJson?: true;
  /** The models are the gateway's own. */
  readonly hasOwnModels?: true;
  /** Its prompt is not checked for words: it comes later. */
  readonly hasNoWords?: true;
}

/** Over the limit of a body, which is 32 MiB; only announced, never sent. */
const TOO_LONG = 40 * 1024 * 1024;

const sent = (
  { url, key, spoilt }: Asked,
  path: string,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
): Promise<Told> =>
  new Promise((resolve, reject) => {
    const length = spoilt === 'too long' ? TOO_LONG : body.length;
    const request = httpRequest(url + path, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer sk-${key}`, 'content-length': String(length) },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => void (text += chunk.toString()));
      response.on('end', () => {
        request.destroy();
        resolve(told(response.statusCode ?? 0, response.headers, text));
      });
      response.on('error', reject);
    });
    if (spoilt === 'too long') request.flushHeaders();
    else request.end(body);
  });

const told = (status: number, headers: IncomingHttpHeaders, text: string): Told => ({
  status,
  header: (name) => headers[name]?.toString(),
  body: jsonOf(text),
});

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const json =
  (pathOf: (model: string) => string, bodyOf: (asked: Asked) => object) =>
  (asked: Asked): Promise<Told> => {
    const plain = JSON.stringify(bodyOf(asked));
    const text = { 'no JSON': '{', 'a list': `[${plain}]`, 'too long': '' }[String(asked.spoilt)] ?? plain;
    return sent(asked, pathOf(asked.model), Buffer.from(text), { 'content-type': 'application/json' });
  };

const at = (path: string) => () => path;
const said = (words: string) => [{ role: 'user', content: words }];

const openai = (path: string, bodyOf: (asked: Asked) => object): CallerKind => ({
  family: 'openai',
  send: json(at(path), (asked) => ({ model: asked.model, ...bodyOf(asked) })),
});

const google = (method: string, bodyOf: (asked: Asked) => object): CallerKind => ({
  family: 'google',
  send: json((model) => `/v1beta/models/${model}:${method}`, bodyOf),
});

const contents = ({ words }: Asked) => ({ contents: [{ role: 'user', parts: [{ text: words }] }] });

/** A tone of a tenth of a second, as `audio/wav`. */
const wav = (): Buffer => {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + 1600, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(16_000, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(1600, 40);
  return Buffer.concat([head, Buffer.alloc(1600)]);
};

const soundForm =
  (path: string) =>
  (asked: Asked): Promise<Told> => {
    const text = (name: string, value: string) =>
      `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const file =
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\ncontent-type: audio/wav\r\n\r\n';
    const body = Buffer.concat([
      Buffer.from(text('model', asked.model) + text('prompt', asked.words) + file),
      wav(),
      Buffer.from('\r\n--b--\r\n'),
    ]);
    return sent(asked, path, body, { 'content-type': 'multipart/form-data; boundary=b' });
  };

/** Asks for a WebSocket, and is answered over HTTP. */
const realtime = ({ url, key, model }: Asked): Promise<Told> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(`${url}/v1/realtime?model=${model}`, {
      headers: {
        authorization: `Bearer sk-${key}`,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.alloc(16).toString('base64'),
        'sec-websocket-protocol': 'realtime',
      },
    });
    request.on('error', reject);
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      resolve({ status: 101, header: () => undefined, body: undefined });
    });
    request.on('response', (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => void (text += chunk.toString()));
      response.on('end', () => resolve(told(response.statusCode ?? 0, response.headers, text)));
    });
    request.end();
  });

/** One turn on a WebSocket of its own: its error is an event that says what HTTP would. */
const overSocket = async ({ url, key, model, words, spoilt }: Asked): Promise<Told> => {
  const caller = await openCaller(url, { authorization: `Bearer sk-${key}` });
  const event = { type: 'response.create', model, store: false, input: words };
  caller.send(spoilt === 'no JSON' ? '{' : spoilt === 'a list' ? [event] : event);
  const last = (await caller.turn()).at(-1) ?? {};
  caller.socket.terminate();
  const headers = (last['headers'] ?? {}) as Readonly<Record<string, string>>;
  return { status: Number(last['status'] ?? 200), header: (name) => headers[name], body: last };
};

/** Every way to call, by its name in the table of refusals. */
export const callerKinds: Readonly<Record<string, CallerKind>> = {
  chat: openai('/v1/chat/completions', ({ words }) => ({ messages: said(words), max_tokens: 9 })),
  'chat, streamed': openai('/v1/chat/completions', ({ words }) => ({
    messages: said(words),
    max_tokens: 9,
    stream: true,
  })),
  responses: openai('/v1/responses', ({ words }) => ({ input: words, max_output_tokens: 16 })),
  'responses over a WebSocket': { family: 'openai', send: overSocket },
  completions: openai('/v1/completions', ({ words }) => ({ prompt: words, max_tokens: 9 })),
  embeddings: openai('/v1/embeddings', ({ words }) => ({ input: words })),
  moderations: openai('/v1/moderations', ({ words }) => ({ input: words })),
  rerank: openai('/v1/rerank', ({ words }) => ({ query: words, documents: ['a', 'b'] })),
  images: openai('/v1/images/generations', ({ words }) => ({ prompt: words })),
  speech: openai('/v1/audio/speech', ({ words }) => ({ input: words, voice: 'alloy' })),
  transcriptions: { family: 'openai', send: soundForm('/v1/audio/transcriptions'), hasNoJson: true },
  translations: { family: 'openai', send: soundForm('/v1/audio/translations'), hasNoJson: true },
  realtime: { family: 'openai', send: realtime, hasNoJson: true, hasNoWords: true },
  input_tokens: { ...openai('/v1/responses/input_tokens', ({ words }) => ({ input: words })), isCount: true },
  messages: {
    family: 'anthropic',
    send: json(at('/v1/messages'), ({ model, words }) => ({ model, max_tokens: 9, messages: said(words) })),
  },
  count_tokens: {
    family: 'anthropic',
    send: json(at('/v1/messages/count_tokens'), ({ model, words }) => ({ model, messages: said(words) })),
    isCount: true,
  },
  generateContent: google('generateContent', contents),
  streamGenerateContent: google('streamGenerateContent', contents),
  'streamGenerateContent, as events': google('streamGenerateContent?alt=sse', contents),
  embedContent: google('embedContent', ({ words }) => ({ content: { parts: [{ text: words }] } })),
  countTokens: { ...google('countTokens', contents), isCount: true },
  'a drawing': {
    family: 'midjourney',
    send: json(at('/mj/submit/imagine'), ({ model, words }) => ({ prompt: `${words} ${model}` })),
    hasOwnModels: true,
  },
  'a song': {
    family: 'suno',
    send: json(at('/suno/submit/music'), ({ model, words }) => ({ prompt: `${words} ${model}` })),
    hasOwnModels: true,
  },
};
