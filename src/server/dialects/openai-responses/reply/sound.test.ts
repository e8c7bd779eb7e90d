import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ChatEvent } from '#core/chat/event.ts';
import { writeStream } from '../../testing/streams.ts';
import { openaiChat } from '../../openai-chat/openai-chat.ts';
import { openaiResponses } from '../openai-responses.ts';

/** What a message and its parts may be (openai-node 7.57, `ResponseOutputMessage`, `ResponseContentPartAddedEvent`). */
const part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('output_text'), text: z.string(), annotations: z.array(z.unknown()) }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
]);
const message = z.object({
  type: z.literal('message'),
  id: z.string(),
  role: z.literal('assistant'),
  status: z.string(),
  content: z.array(part),
});
const response = z.object({ output: z.array(message) });

const spoken: readonly ChatEvent[] = [
  { type: 'start', id: 'a', model: 'm', createdAtMs: 1000 },
  { type: 'audio-delta', choice: 0, id: 'audio_1', transcript: 'Good ' },
  { type: 'audio-delta', choice: 0, data: 'AAAA', transcript: 'morning' },
  { type: 'finish', choice: 0, reason: 'stop' },
];

test('an answer that is spoken fits the schema of its maker, whole and streamed, and says what was said', async () => {
  const whole = response.parse(openaiResponses.writeWhole([...spoken]));
  expect(whole.output[0]?.content).toMatchObject([{ type: 'output_text', text: 'Good morning' }]);
  const events = (await Array.fromAsync(writeStream(openaiResponses, spoken))).map(
    ({ data }) => JSON.parse(data.toString()) as Record<string, unknown>,
  );
  for (const event of events) {
    if (event['part'] !== undefined) part.parse(event['part']);
    if (event['item'] !== undefined) message.parse(event['item']);
  }
  expect(response.parse(events.at(-1)?.['response'])).toEqual(whole);
  expect(events.filter(({ type }) => type === 'response.audio.delta')).toMatchObject([{ delta: 'AAAA' }]);
});

test('it comes back as what the assistant said', () => {
  const { output } = openaiResponses.writeWhole([...spoken]) as { output: unknown[] };
  const input = [...output, { role: 'user', content: 'Again?' }];
  const request = openaiResponses.readRequest({ model: 'm', input });
  expect(openaiChat.writeRequest(request)).toMatchObject({
    messages: [
      { role: 'assistant', content: 'Good morning' },
      { role: 'user', content: 'Again?' },
    ],
  });
});
