import { expect, it } from 'vitest';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { heldCall } from '../testing/answered-call.ts';
import { unknownModel } from './usable-models.ts';

it('an unknown model is named in the refusal, a very long name only by its beginning', () => {
  const { caller, routing } = heldCall(openaiChat);
  const messageFor = (model: string): string => unknownModel(routing, ['default'], caller, model).message;
  expect(messageFor('no-such-model')).toContain('no-such-model');
  const long = messageFor('x'.repeat(5000));
  expect(long).toContain('x'.repeat(100));
  expect(long.length).toBeLessThan(400);
});
