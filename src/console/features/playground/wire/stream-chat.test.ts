// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { startSession } from '../../../lib/session/session.ts';
import { ownPage, signInRequest } from '../../../lib/session/sign-in-again.ts';
import { newExchange } from './exchange.ts';
import { type ChatEvent, streamChat } from './stream-chat.ts';

afterEach(() => void vi.unstubAllGlobals());

it('a message refused because the session has ended is sent again after signing in above the page', async () => {
  const writer = { id: 7, username: 'alice', role: 1 } as Parameters<typeof startSession>[0];
  startSession(writer);
  ownPage();
  const answers = [
    new Response('{"success":false}', { status: 401 }),
    new Response('data: {"choices":[{"delta":{"content":"Hello"}}]}\n\ndata: [DONE]\n\n'),
  ];
  vi.stubGlobal('fetch', () => Promise.resolve(answers.shift()));
  const body = { model: 'any', messages: [] };
  const request = { format: 'openai-chat', path: '/pg/chat/completions', body } as const;
  const told = (async () => {
    const events: ChatEvent[] = [];
    for await (const event of streamChat(request, newExchange(request), new AbortController().signal))
      events.push(event);
    return events;
  })();
  await expect.poll(() => signInRequest.get()?.owner.username).toBe('alice');
  startSession(writer);
  expect((await told).map(({ kind }) => kind)).toEqual(['again', 'opened', 'chunk', 'done']);
  expect(answers).toEqual([]);
});
