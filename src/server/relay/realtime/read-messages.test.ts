import { describe, expect, it } from 'vitest';
import { readCallerMessage } from './read-messages.ts';

const read = (message: object | string) => {
  const data = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message));
  return readCallerMessage(data, { add: () => {}, namedModel: undefined }, (said) => said);
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
    expect(read(message)).toEqual({ asks, sent: Buffer.from(JSON.stringify(message)) });
  });
});

describe('a message that upstreams may read differently', () => {
  const TOOLS = '"session":{"tools":[{"type":"web_search"}]}';
  it.each([
    ['with a session given twice', `{"type":"session.update",${TOOLS},"session":{}}`],
    ['with an inner name given twice', '{"type":"session.update","session":{"model":"dear","model":"talk"}}'],
    [
      'with another type in capitals',
      '{"type":"input_audio_buffer.append","audio":"AA","Type":"session.update"}',
    ],
    ['with a session in capitals', `{"type":"session.update","session":{},"S${TOOLS.slice(2)}}`],
    ['with tools in capitals', '{"type":"response.create","response":{"Tools":[{"type":"web_search"}]}}'],
    [
      'of sound, with a session in it',
      `{"type":"input_audio_buffer.append","audio":"AA",${TOOLS},"session":{}}`,
    ],
  ])('%s is not forwarded', (_, message) => {
    expect(read(message)).toMatchObject({ refused: { code: 'invalid_request' } });
  });
});
