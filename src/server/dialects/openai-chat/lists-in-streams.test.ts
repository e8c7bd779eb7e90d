import { ChatCompletionStream } from 'openai/lib/ChatCompletionStream';
import { expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import { type Fields, fieldsOf, listOf } from '#core/json/fields.ts';
import { openaiChat } from './openai-chat.ts';

/**
 * What comes in lists comes so that the maker's own clients keep all of it: the one for Node takes the last list of a field for
 * the whole (`ChatCompletionStream`), the one for Python wants a number in each item of a further list (`accumulate_delta`).
 */

const cite = (url: string): ChatEvent => ({ type: 'citation', choice: 0, url, title: url });
const say = (text: string): ChatEvent => ({ type: 'text-delta', choice: 0, text });
const draw = (data: string): ChatEvent => ({
  type: 'image',
  choice: 0,
  media: { from: 'base64', data, mediaType: 'image/png' },
});

const chunksOf = (events: readonly ChatEvent[]): Fields[] => {
  const writer = openaiChat.openWriter();
  return events
    .flatMap((event) => writer.write(event))
    .map(({ data }) => JSON.parse(data.toString()) as Fields);
};
const deltasOf = (chunks: readonly Fields[]): Fields[] =>
  chunks.flatMap(({ choices }) => listOf(choices).map((choice) => fieldsOf(fieldsOf(choice)['delta'])));

const start: ChatEvent = { type: 'start', id: 'a', model: 'm' };
const finish: ChatEvent = { type: 'finish', choice: 0, reason: 'stop' };
const urls = ['https://a.example', 'https://b.example', 'https://c.example'];
const answer = [start, say('one '), ...urls.slice(0, 2).map(cite), say('two'), ...urls.slice(2).map(cite)];

test('all citations are in one list', () => {
  const lists = deltasOf(chunksOf([...answer, finish])).flatMap(({ annotations }) => annotations ?? []);
  expect(lists.map((cited) => fieldsOf(fieldsOf(cited)['url_citation'])['url'])).toEqual(urls);
  expect(deltasOf(chunksOf([...answer, finish])).filter(({ annotations }) => annotations)).toHaveLength(1);
});

test('the client for Node has all of them in its final message', async () => {
  const lines = chunksOf([...answer, finish]).map((chunk) => `${JSON.stringify(chunk)}\n`);
  const body = new Response(lines.join('')).body;
  if (body === null) throw new Error('no body');
  const { choices } = await ChatCompletionStream.fromReadableStream(body).finalChatCompletion();
  expect(choices[0]?.message.annotations?.map(({ url_citation: { url } }) => url)).toEqual(urls);
});

test('a citation after the end of its answer is still written', () => {
  const deltas = deltasOf(chunksOf([...answer, finish, cite('https://d.example')]));
  expect(deltas.filter(({ annotations }) => annotations)).toHaveLength(2);
});

test('pictures are numbered', () => {
  const images = deltasOf(chunksOf([start, draw('AAAA'), draw('BBBB'), finish])).flatMap((delta) =>
    listOf(delta['images']),
  );
  expect(images.map((image) => fieldsOf(image)['index'])).toEqual([0, 1]);
});
