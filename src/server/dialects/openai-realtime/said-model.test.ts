import { expect, test } from 'vitest';
import { withUpstreamModel } from './said-model.ts';

const sent = (message: object): unknown =>
  JSON.parse(
    withUpstreamModel(Buffer.from(JSON.stringify(message)), {
      asked: ['talk', 'alias'],
      upstream: 'talk-mini',
    }).toString(),
  );

test.each([
  ['session.model', { type: 'session.update', session: { model: 'dear' } }],
  ['session.model', { type: 'session.update', session: { model: 5 } }],
  ['response.model', { type: 'response.create', response: { model: 'dear' } }],
  ['fallbacks', { type: 'session.update', session: { fallbacks: ['dear'] } }],
])('no message lets another model answer: %s', (param, message) => {
  expect(() => sent(message)).toThrow(param);
});

test.each(['talk', 'alias'])(
  'the conversation’s own model, as %s, is named as the upstream does',
  (model) => {
    const audio = { input: { transcription: { model: 'whisper-1' } } };
    expect(sent({ type: 'session.update', session: { model, audio } })).toEqual({
      type: 'session.update',
      session: { model: 'talk-mini', audio },
    });
  },
);

test('what names no model goes as it came', () => {
  const said = Buffer.from('{ "type": "session.update", "session": { "instructions": "model" } }');
  expect(withUpstreamModel(said, { asked: ['talk'], upstream: 'other' })).toBe(said);
});
