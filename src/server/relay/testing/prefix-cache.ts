import { hash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type Fields, fieldsOf, textOf } from '#core/json/fields.ts';
import { addressOf, listening } from '../../outbound/testing/local-server.ts';
import { cachedAnswer } from './caching-upstream.ts';

/** As makers document theirs: of an account, from 1,024 tokens on in steps of 128. */
const [BLOCK_BYTES, BLOCK_TOKENS, LEAST_TOKENS] = [512, 128, 1024];

/** Tokens of prompts. */
export interface CacheSums {
  readonly all: number;
  /** Read from caches. */
  readonly read: number;
  /** In prompts long enough for a cache of which nothing was in one. */
  readonly cold: number;
}

/** An upstream that keeps a prompt cache for each key, in all four formats. */
export interface PrefixCacheUpstream {
  readonly url: string;
  /** Keys that are refused as revoked. */
  readonly revoked: Set<string>;
  /** The keys of all calls so far that were answered. */
  readonly used: Set<string>;
  /** The request that was answered last. */
  last(): { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };
  /** What the prompts since the last question were; the caches are empty then. */
  sums(): CacheSums;
  close(): Promise<void>;
}

/** What counts as the prompt, in the order in which makers cache it. */
const promptOf = ({ tools, system, instructions, systemInstruction, ...body }: Fields): string =>
  JSON.stringify([tools, system ?? instructions ?? systemInstruction]) +
  JSON.stringify(body['messages'] ?? body['input'] ?? body['contents']);

const answerOf = (path: string, tokens: number, cached: number): object => {
  if (path.endsWith('/messages'))
    return {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'Hi.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: tokens - cached, cache_read_input_tokens: cached, output_tokens: 2 },
    };
  if (path.endsWith('/responses'))
    return {
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      model: 'm',
      output: [
        {
          id: 'msg_1',
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hi.', annotations: [] }],
        },
      ],
      usage: {
        input_tokens: tokens,
        input_tokens_details: { cached_tokens: cached },
        output_tokens: 2,
        total_tokens: tokens + 2,
      },
    };
  if (path.includes(':generateContent'))
    return {
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hi.' }] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: tokens,
        cachedContentTokenCount: cached,
        candidatesTokenCount: 2,
        totalTokenCount: tokens + 2,
      },
    };
  return cachedAnswer(tokens, cached);
};

/** Starts the upstream on a free port. */
export const startPrefixCache = async (): Promise<PrefixCacheUpstream> => {
  /** By key and model: the beginnings of all prompts that were read. */
  const caches = new Map<string, Set<string>>();
  const revoked = new Set<string>();
  const used = new Set<string>();
  let [read, all, cold] = [0, 0, 0];
  let last = { path: '', headers: {} as IncomingHttpHeaders, body: '' };

  const cachedOf = (cache: string, prompt: string): number => {
    const seen = caches.get(cache) ?? new Set<string>();
    caches.set(cache, seen);
    let [known, isKnown, name] = [0, true, ''];
    for (let at = 0; at + BLOCK_BYTES <= prompt.length; at += BLOCK_BYTES) {
      name = hash('sha256', name + prompt.slice(at, at + BLOCK_BYTES));
      isKnown &&= seen.has(name);
      if (isKnown) known += BLOCK_TOKENS;
      seen.add(name);
    }
    return known < LEAST_TOKENS ? 0 : known;
  };

  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (bytes: Buffer) => void (text += bytes.toString()));
    request.on('end', () => {
      const { url = '', headers } = request;
      const named = headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers.authorization;
      const key = String(named).replace('Bearer ', '');
      const isRevoked = revoked.has(key);
      response.writeHead(isRevoked ? 401 : 200, { 'content-type': 'application/json' });
      if (isRevoked) {
        response.end(JSON.stringify({ error: { message: 'invalid api key', code: 'invalid_api_key' } }));
        return;
      }
      used.add(key);
      last = { path: url, headers, body: text };
      const body = fieldsOf(JSON.parse(text));
      const prompt = promptOf(body);
      const cached = cachedOf(`${key} ${textOf(body['model']) ?? url}`, prompt);
      const tokens = Math.max(cached, Math.ceil(prompt.length / 4));
      [read, all] = [read + cached, all + tokens];
      if (cached === 0 && tokens >= LEAST_TOKENS) cold += tokens;
      response.end(JSON.stringify(answerOf(url.split('?')[0] ?? '', tokens, cached)));
    });
  });
  await listening(server);
  return {
    url: addressOf(server),
    revoked,
    used,
    last: () => last,
    sums() {
      const sums = { all, read, cold };
      caches.clear();
      used.clear();
      [read, all, cold] = [0, 0, 0];
      return sums;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
