import { expect, it } from 'vitest';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import type { Held } from '../stages.ts';
import { answeredCall, heldCall } from '../testing/answered-call.ts';
import { callerLeft } from './caller-left.ts';

/** A call of a model that was silent for five seconds and has sent 500 bytes of its answer since. */
const thoughtful = (finished: boolean): Held => {
  const held = answeredCall(heldCall(openaiChat), openaiChat, 'a secret key');
  const { live } = held;
  const times = { durationMs: 5000, startedMs: 0, connectMs: undefined, headMs: undefined };
  live.attempts = [{ channelId: 1, status: 200, error: '', race: undefined, ...times }];
  Object.assign(live.meter, { produced: true, thinks: true, outputBytes: 500, finished });
  return held;
};

it('output that arrives after the caller left is not counted as shown', () => {
  const { live, ...held } = thoughtful(false);
  callerLeft({ ...held, live });
  expect(live.stopped).toBeUndefined();
  live.meter.outputBytes += 300;
  expect(live.meter.shownBytes).toBe(500);
  live.holdState = 'closed';
});

it('a complete answer counts as shown in full: only its usage report is awaited', () => {
  const { live, ...held } = thoughtful(true);
  callerLeft({ ...held, live });
  expect(live.stopped).toBeUndefined();
  expect(live.meter.shownBytes).toBeUndefined();
  live.holdState = 'closed';
});
