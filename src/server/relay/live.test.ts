import { expect, test } from 'vitest';
import { AppError } from '#core/error.ts';
import { openaiChat } from '../dialects/openai-chat/openai-chat.ts';
import { LiveAttempt } from './live-attempt.ts';
import { Live } from './live.ts';
import { answeredCall, heldCall } from './testing/answered-call.ts';

test('a call that is stopped stops every attempt that runs, not only the one that answers, and keeps the first reason', () => {
  const answered = answeredCall(heldCall(openaiChat), openaiChat, '');
  const { destination } = answered.live.attempt ?? {};
  if (destination === undefined) throw new Error('no attempt');
  const attempts = [1, 2, 3].map(() => new LiveAttempt(destination, 0));
  const live = new Live(answered.call, 1);
  live.running = attempts.slice(0, 2);
  live.attempt = attempts[2];
  const left = new AppError('client_closed', 'the caller went away');
  live.stop(left);
  live.stop(new AppError('unavailable', 'the server stops'));
  expect(attempts.map(({ abort }) => abort.signal.aborted)).toEqual([true, true, true]);
  expect(live.stopped).toBe(left);
});
