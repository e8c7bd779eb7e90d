import { expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import { anthropicMessages } from '../../dialects/anthropic-messages/anthropic-messages.ts';
import { gemini } from '../../dialects/gemini/gemini.ts';
import { openaiChat } from '../../dialects/openai-chat/openai-chat.ts';
import { openaiResponses } from '../../dialects/openai-responses/openai-responses.ts';
import { largePicture } from './picture-pieces.ts';

const start: ChatEvent = { type: 'start', id: 'a', model: 'm', createdAtMs: 1000 };
const pictureOf = (data: string): ChatEvent => ({
  type: 'image',
  choice: 0,
  media: { from: 'base64', data, mediaType: 'image/png' },
});

const written = (dialect: typeof openaiChat, event: ChatEvent): Buffer => {
  const writer = dialect.openWriter();
  writer.write(start);
  return Buffer.concat([...writer.write(event)].map(({ raw }) => raw));
};

const saidIn = (stream: Buffer): unknown[] =>
  String(stream)
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as unknown);

test.each([
  ['base64', 'iVBORw0KGgoA'.repeat(300_000)],
  ['anything else', 'x"\\\n\u2028😀é'.repeat(300_000)],
])('a large picture of %s in pieces is the same for its caller', (_, data) => {
  for (const dialect of [openaiChat, anthropicMessages, gemini]) {
    const event = pictureOf(data);
    const picture = largePicture(event, dialect.name);
    const pieces = [...(picture?.pieces() ?? [])];
    expect(pieces.length).toBeGreaterThan(2);
    const joined = picture?.join(written(dialect, picture.around), pieces) ?? [];
    expect(saidIn(Buffer.concat(joined))).toEqual(saidIn(written(dialect, event)));
  }
});

test('a small picture, or one that its format writes more than once, is written as usual', () => {
  expect(largePicture(pictureOf('iVBORw0KGgoA'), 'openai-chat')).toBeUndefined();
  const large = pictureOf('iVBORw0KGgoA'.repeat(300_000));
  expect(largePicture(large, openaiResponses.name)).toBeUndefined();
});
