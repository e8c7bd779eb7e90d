import { createServer } from 'node:http';
import type { Fields } from '#core/json/fields.ts';
import { addressOf, listening } from '../../outbound/testing/local-server.ts';

const PROMPT_TOKENS = 2000;

/**
 * An upstream with a prompt cache: if it has answered the prompt's first message before, it reads 1,500 tokens from the
 * cache.
 */
export interface CachingUpstream {
  readonly url: string;
  /** The number of calls it has received. */
  readonly calls: number;
  /** The status of the next answers; 200 by default. */
  status: number;
  close(): Promise<void>;
}

export const startCachingUpstream = async (): Promise<CachingUpstream> => {
  const seen = new Set<string>();
  const state = { calls: 0, status: 200 };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    request.on('end', () => {
      state.calls += 1;
      const { messages = [], input } = JSON.parse(text) as Fields & { messages?: readonly unknown[] };
      const first = JSON.stringify(messages[0] ?? input);
      const cached = seen.has(first) ? 1500 : 0;
      if (state.status === 200) seen.add(first);
      response.writeHead(state.status, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(
          state.status === 200 ? cachedAnswer(PROMPT_TOKENS, cached) : { error: { message: 'no' } },
        ),
      );
    });
  });
  await listening(server);
  return {
    url: addressOf(server),
    get calls() {
      return state.calls;
    },
    get status() {
      return state.status;
    },
    set status(status) {
      state.status = status;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

/** A whole answer that reports so many prompt tokens, and how many of them were read from a cache. */
export const cachedAnswer = (prompt: number, cached: number): object => ({
  id: 'chat-1',
  object: 'chat.completion',
  model: 'gpt-warm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
  usage: {
    prompt_tokens: prompt,
    completion_tokens: 2,
    total_tokens: prompt + 2,
    prompt_tokens_details: { cached_tokens: cached },
  },
});
