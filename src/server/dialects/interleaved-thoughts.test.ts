import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChatEvent } from '#core/chat/event.ts';
import type { ContentPart, DialectName } from '#core/chat/request.ts';
import { chatDialects } from './chat-dialects.ts';
import { fieldsOf, listOf, type Fields } from '#core/json/fields.ts';
import { givenBack } from './testing/given-back.ts';

type Said =
  | { readonly type: 'thought'; readonly text: string; readonly isHidden: boolean }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call' };

const chat = chatDialects['openai-chat'];

/** An answer as events of an upstream of a format. */
const eventsOf = (said: readonly Said[], signatureFrom: DialectName): ChatEvent[] => {
  let calls = 0;
  const events = said.flatMap((part, at): ChatEvent[] => {
    if (part.type === 'text') return [{ type: 'text-delta', choice: 0, text: part.text }];
    if (part.type === 'call') {
      const index = calls++;
      return [
        { type: 'tool-call-start', choice: 0, index, id: `c${index}`, name: 'f' },
        { type: 'tool-call-delta', choice: 0, index, argumentsText: '{}' },
      ];
    }
    const seal = part.isHidden ? { redacted: `R${at}` } : { signature: `S${at}` };
    return [
      ...(part.isHidden ? [] : [{ type: 'reasoning-delta' as const, choice: 0, text: part.text }]),
      { type: 'reasoning-end', choice: 0, ...seal, signatureFrom },
    ];
  });
  return [
    { type: 'start', id: 'r', model: 'm' },
    ...events,
    { type: 'finish', choice: 0, reason: calls > 0 ? 'tool-calls' : 'stop' },
  ];
};

/** The answer as parts of a conversation, with consecutive texts joined. */
const partsOf = (said: readonly Said[]): string[] => {
  let calls = 0;
  const parts = said.map((part, at) => {
    if (part.type === 'text') return `text ${part.text}`;
    if (part.type === 'call') return `call c${calls++}`;
    return part.isHidden ? `thought  R${at}` : `thought ${part.text} S${at}`;
  });
  return joinTexts(parts);
};

const joinTexts = (parts: readonly string[]): string[] => {
  const joined: string[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (part.startsWith('text ') && before?.startsWith('text ') === true)
      joined[joined.length - 1] = before + part.slice('text '.length);
    else joined.push(part);
  }
  return joined;
};

const shown = (part: ContentPart): string[] => {
  if (part.type === 'text') return [`text ${part.text}`];
  if (part.type === 'tool-call') return [`call ${part.id}`];
  return part.type === 'reasoning' ? [`thought ${part.text} ${part.signature ?? part.redacted ?? ''}`] : [];
};

/** What the upstream gets in the next turn if the caller sends this message. */
const cameBack = (message: Fields): string[] => {
  const request = chat.readRequest({ model: 'm', messages: [message] });
  return joinTexts((request.messages[0]?.content ?? []).flatMap(shown));
};

/** Combines a stream as clients do: either all lists of thoughts joined, or only the last one. */
const folded = (events: readonly ChatEvent[], keepsAll: boolean): Fields => {
  const writer = chat.openWriter();
  const message = { role: 'assistant', content: '', reasoning_details: [] as unknown[] };
  const calls: Fields[] = [];
  for (const { data } of events.flatMap((event) => writer.write(event))) {
    const delta = fieldsOf(fieldsOf(listOf(fieldsOf(JSON.parse(data.toString()))['choices'])[0])['delta']);
    if (typeof delta['content'] === 'string') message.content += delta['content'];
    const details = listOf(delta['reasoning_details']);
    if (details.length > 0)
      message.reasoning_details = [...(keepsAll ? message.reasoning_details : []), ...details];
    for (const call of listOf(delta['tool_calls']).map(fieldsOf))
      if (call['id'] !== undefined) calls.push(call);
  }
  return calls.length > 0 ? { ...message, tool_calls: calls } : message;
};

const thought = fc.record({
  type: fc.constant('thought' as const),
  text: fc.string({ minLength: 1 }),
  isHidden: fc.boolean(),
});
const text = fc.record({ type: fc.constant('text' as const), text: fc.string({ minLength: 1 }) });
const call = fc.record({ type: fc.constant('call' as const) });
/** This format does not order texts and calls: texts come first, unless a thought is between them. */
const answers = fc
  .array(fc.tuple(thought, fc.array(text, { maxLength: 2 }), fc.array(call, { maxLength: 2 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((rounds) => rounds.flatMap(([first, texts, calls]): Said[] => [first, ...texts, ...calls]));

describe.each(['anthropic-messages', 'gemini', 'openai-responses'] as const)(
  'a chat caller of an upstream of %s',
  (from) => {
    test('gives thoughts back signed and where they stood among texts and calls, whole', () => {
      fc.assert(
        fc.property(fc.array(text, { maxLength: 1 }), answers, (first, rest) => {
          const said = [...first, ...rest];
          const reply = fieldsOf(chat.writeWhole(eventsOf(said, from)));
          const message = fieldsOf(fieldsOf(listOf(reply['choices'])[0])['message']);
          expect(cameBack(message)).toEqual(partsOf(said));
        }),
      );
    });

    test('the same of a stream, however its client puts the lists together', () => {
      fc.assert(
        fc.property(answers, fc.boolean(), (said, keepsAll) => {
          expect(cameBack(folded(eventsOf(said, from), keepsAll))).toEqual(partsOf(said));
        }),
      );
    });
  },
);

test('Claude gets the blocks of an interleaved turn in their order', () => {
  const content = [
    { type: 'thinking', thinking: 'first', signature: 'U0lHMQ==' },
    { type: 'text', text: 'I look. ' },
    { type: 'thinking', thinking: 'second', signature: 'U0lHMg==' },
    { type: 'text', text: 'And again.' },
    { type: 'redacted_thinking', data: 'aGlkZGVu' },
    { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
  ];
  const claude = chatDialects['anthropic-messages'];
  const reply = fieldsOf(
    chat.writeWhole(claude.readWhole({ id: 'm', model: 'c', content, stop_reason: 'tool_use' })),
  );
  const message = fieldsOf(fieldsOf(listOf(reply['choices'])[0])['message']);
  expect(message['content']).toBe('I look. And again.');
  const request = chat.readRequest({
    model: 'claude-sonnet-4-5',
    messages: [
      { role: 'user', content: 'go' },
      message,
      { role: 'tool', tool_call_id: 'toolu_1', content: 'ok' },
    ],
  });
  expect(listOf(claude.writeRequest(request)['messages'])[1]).toEqual({ role: 'assistant', content });
});

test('texts that a client has shortened are all there, with every thought', () => {
  const said: Said[] = [
    { type: 'text', text: '  a long beginning' },
    { type: 'thought', text: 'Hm', isHidden: false },
    { type: 'text', text: ' end' },
  ];
  const reply = fieldsOf(chat.writeWhole(eventsOf(said, 'anthropic-messages')));
  const message = fieldsOf(fieldsOf(listOf(reply['choices'])[0])['message']);
  expect(cameBack({ ...message, content: 'short' })).toEqual(['text short', 'thought Hm S1']);
});

const names = Object.keys(chatDialects) as DialectName[];

describe.each(names.flatMap((caller) => names.map((from) => [caller, from] as const)))(
  'a caller of %s gives back to an upstream of %s',
  (caller, from) => {
    const backOf = (events: readonly ChatEvent[]): ContentPart[] => {
      const given = fieldsOf(chatDialects[caller].writeWhole(events));
      const request = chatDialects[caller].readRequest({ model: 'm', ...givenBack(caller, given) });
      return request.messages.flatMap(({ content }) => content);
    };

    test('the seal of a thought without words in front of a call, as that of a thought', () => {
      const events = eventsOf([{ type: 'thought', text: '', isHidden: false }, { type: 'call' }], from);
      const [thought, call] = backOf(events.filter((event) => event.type !== 'reasoning-delta'));
      expect(thought).toMatchObject({ type: 'reasoning', text: '', signature: 'S0' });
      expect(call).toMatchObject({ type: 'tool-call', id: 'c0' });
      expect(call).not.toHaveProperty('signature');
    });

    // Only Google's upstreams sign calls, in either of their formats.
    if (from !== 'gemini' && from !== 'openai-chat') return;
    test('the seal of a call, on the call', () => {
      const events = eventsOf([{ type: 'call' }], from).map((event) =>
        event.type === 'tool-call-start' ? { ...event, signature: 'S', signatureFrom: from } : event,
      );
      expect(backOf(events).filter(({ type }) => type !== 'text')).toMatchObject([
        { type: 'tool-call', id: 'c0', signature: 'S' },
      ]);
    });
  },
);
