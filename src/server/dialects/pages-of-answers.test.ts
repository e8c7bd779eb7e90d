import { describe, expect, test } from 'vitest';
import { chatDialects } from './chat-dialects.ts';
import { fieldsOf, listOf, type Fields } from '#core/json/fields.ts';
import { writeFrame } from './sse.ts';
import { readStream } from './testing/streams.ts';

const chat = chatDialects['openai-chat'];
const pages = {
  citations: ['https://a.example/x', 'https://b.example'],
  search_results: [{ title: 'A', url: 'https://a.example/x', date: '2026-01-01' }],
};
const head = { id: 'c', object: 'chat.completion', created: 1, model: 'sonar', ...pages };

const streamed = async () => {
  const choices = [
    { index: 0, delta: { role: 'assistant', content: 'Par' } },
    { index: 0, delta: { content: 'is[1]' }, finish_reason: 'stop' },
  ];
  async function* frames() {
    for (const choice of choices) {
      const data = Buffer.from(JSON.stringify({ ...head, choices: [choice] }));
      yield { raw: data, event: '', data };
    }
  }
  const events = [];
  for await (const event of readStream(chat, frames())) events.push(event);
  return events;
};

const whole = (message: Fields = {}) =>
  chat.readWhole({
    ...head,
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Paris[1]', ...message }, finish_reason: 'stop' },
    ],
  });

describe('pages that are told beside an answer', () => {
  test('are its citations, each once, in front of its end', async () => {
    const expected = [
      { type: 'citation', choice: 0, url: 'https://a.example/x', title: 'A' },
      { type: 'citation', choice: 0, url: 'https://b.example' },
      { type: 'finish', choice: 0, reason: 'stop' },
    ];
    expect(whole().slice(-3)).toEqual(expected);
    expect((await streamed()).slice(-3)).toEqual(expected);
  });

  test('belong to the answer they come with, whatever its number', () => {
    const choice = { index: 1, message: { role: 'assistant', content: 'Paris[1]' }, finish_reason: 'stop' };
    expect(chat.readWhole({ ...head, choices: [choice] }).slice(-2)).toEqual([
      { type: 'citation', choice: 1, url: 'https://b.example' },
      { type: 'finish', choice: 1, reason: 'stop' },
    ]);
  });

  test('are not told again where an annotation names them', () => {
    const annotation = { type: 'url_citation', url_citation: { url: 'https://b.example', title: 'B' } };
    const urls = whole({ annotations: [annotation] }).flatMap((event) =>
      event.type === 'citation' ? [event.url] : [],
    );
    expect(urls).toEqual(['https://b.example', 'https://a.example/x']);
  });

  test('have a place and a title for callers of chats, whose clients refuse an answer where one has none', () => {
    const { openWriter, writeWhole } = chat;
    const writer = openWriter();
    const chunks = whole().flatMap((event) => writer.write(event).map(({ data }) => data.toString()));
    const page = { url: 'https://b.example', title: '', start_index: 8, end_index: 8 };
    for (const told of [JSON.stringify(writeWhole(whole())), chunks.join('\n')])
      expect(told).toContain(JSON.stringify({ type: 'url_citation', url_citation: page }));
  });

  test('reach callers of every other format', () => {
    const content = fieldsOf(chatDialects['anthropic-messages'].writeWhole(whole()))['content'];
    expect(fieldsOf(listOf(content)[0])).toMatchObject({
      text: 'Paris[1]',
      citations: [{ url: 'https://a.example/x', title: 'A' }, { url: 'https://b.example' }],
    });
    expect(JSON.stringify(chatDialects['openai-responses'].writeWhole(whole()))).toContain(
      '"url":"https://b.example"',
    );
    expect(JSON.stringify(chatDialects.gemini.writeWhole(whole()))).toContain('"uri":"https://a.example/x"');
  });
});

test('a citation of what the caller brought reaches other formats where it has an address, and else none', () => {
  const citations = [
    { type: 'char_location', cited_text: 'b', document_index: 0, document_title: 'D' },
    { type: 'search_result_location', cited_text: 'c', source: 'https://s.example', title: 'S' },
  ];
  const events = chatDialects['anthropic-messages'].readWhole({
    id: 'm',
    model: 'c',
    content: [{ type: 'text', text: 'blue', citations }],
    stop_reason: 'end_turn',
  });
  const own = fieldsOf(chatDialects['anthropic-messages'].writeWhole(events))['content'];
  expect(own).toEqual([{ type: 'text', text: 'blue', citations }]);
  const output = listOf(fieldsOf(chatDialects['openai-responses'].writeWhole(events))['output']);
  const text = fieldsOf(listOf(fieldsOf(output[0])['content'])[0]);
  expect(text['annotations']).toEqual([
    { type: 'url_citation', url: 'https://s.example', title: 'S', start_index: 0, end_index: 4 },
  ]);
});

describe('what Anthropic cites', () => {
  const citation = {
    type: 'web_search_result_location',
    url: 'https://a.example',
    title: 'A',
    cited_text: 'c',
  };
  const content = [
    { type: 'text', text: 'I look.' },
    { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
    { type: 'text', text: 'It is ' },
    { type: 'text', text: 'blue', citations: [citation] },
    { type: 'text', text: '.' },
  ];
  const sent = [
    { type: 'message_start', message: { id: 'm', model: 'c' } },
    ...content.flatMap(({ text = '', citations = [], ...block }, index) => [
      {
        type: 'content_block_start',
        index,
        content_block: { ...block, ...(block.type === 'text' && { text: '' }) },
      },
      // In its streams they come before the text.
      ...citations.map((cited) => ({
        type: 'content_block_delta',
        index,
        delta: { type: 'citations_delta', citation: cited },
      })),
      { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
  ];
  const read = async (isStream: boolean, lacks = '') => {
    const { readWhole, openReader } = chatDialects['anthropic-messages'];
    const reader = openReader();
    return isStream
      ? sent
          .filter(({ type }) => type !== lacks)
          .flatMap((event) => [...reader.read(writeFrame(JSON.stringify(event), event.type))])
      : readWhole({ id: 'm', model: 'c', content, stop_reason: 'end_turn' });
  };

  test.each([
    [true, ''],
    [true, 'content_block_stop'],
    [false, ''],
  ])('has the place of the words that rest on it (streamed: %j, without %s)', async (isStream, lacks) => {
    const events = await read(isStream, lacks);
    const { choices } = chat.writeWhole(events) as { choices: { message: Fields }[] };
    expect(choices[0]?.message['content']).toBe('I look.It is blue.');
    expect(choices[0]?.message['annotations']).toMatchObject([
      { url_citation: { url: 'https://a.example', start_index: 13, end_index: 17 } },
    ]);
    const { output } = chatDialects['openai-responses'].writeWhole(events) as { output: Fields[] };
    expect(output).toMatchObject([
      { content: [{ text: 'I look.' }] },
      { content: [{ text: 'It is blue.', annotations: [{ start_index: 6, end_index: 10 }] }] },
    ]);
  });
});

test('pictures that a chat caller put into a result stay there for upstreams of its format', () => {
  const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
  const messages = [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'seen' }, picture] },
  ];
  const request = chat.readRequest({ model: 'm', messages });
  expect(chat.writeRequest(request)['messages']).toEqual(messages);
  expect(listOf(chatDialects['anthropic-messages'].writeRequest(request)['messages'])[2]).toEqual({
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'c1',
        content: [
          { type: 'text', text: 'seen' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        ],
      },
    ],
  });
});
