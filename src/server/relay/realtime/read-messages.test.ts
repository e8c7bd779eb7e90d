import { describe, expect, it } from 'vitest';
import { readCallerMessage } from './read-messages.ts';

const read = (message: object | string) => {
  const data = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message));
  return readCallerMessage(data, { add: () => {} }, () => {});
};

describe('a message of a conversation', () => {
  it.each([
    ['of an answer', { type: 'response.create', response: { service_tier: 'priority' } }],
    ['of the session', { type: 'session.update', session: { service_tier: 'flex' } }],
    ['at the top', { type: 'response.create', service_tier: 'priority' }],
    ['of a place', { type: 'session.update', session: { inference_geo: 'us' } }],
    ['in an object', { type: 'session.update', session: { extra_body: { serviceTier: 'priority' } } }],
    ['with an escaped letter', '{"type":"response.create","response":{"service_\\u0074ier":"priority"}}'],
  ])('that asks for a tier %s is not forwarded', (_, message) => {
    expect(read(message)).toMatchObject({
      refused: { code: 'invalid_request', reason: 'service_terms_refused' },
    });
  });

  it.each([
    ['the standard', { type: 'response.create', response: { service_tier: 'auto' } }, true],
    [
      'a speed of the voice',
      { type: 'session.update', session: { audio: { output: { speed: 1.2 } } } },
      false,
    ],
    ['a speed at its top', { type: 'session.update', session: { speed: 1.2 } }, false],
    [
      'words about tiers',
      { type: 'conversation.item.create', item: { content: 'service_tier priority' } },
      false,
    ],
    ['sound', { type: 'input_audio_buffer.append', audio: 'tier' }, false],
  ])('with %s goes on', (_, message, asks) => {
    expect(read(message)).toEqual({ asks });
  });
});
