import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asCallerNames, fittedCallId, withFittedNames } from '#core/chat/fitted-names.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import { chatNames, geminiNames, messagesNames, responsesNames } from '../../dialects/name-rules.ts';

const LONG = `mcp__${'server_'.repeat(10)}`;
const rules = { chatNames, geminiNames, messagesNames, responsesNames };

const asking = (names: readonly string[], id = 'c1'): ChatRequest => ({
  model: 'm',
  stream: false,
  messages: [
    {
      role: 'assistant',
      content: names.map((name) => ({ type: 'tool-call', id, name, argumentsText: '{}' })),
    },
    { role: 'tool', content: names.map((name) => ({ type: 'tool-result', callId: id, name, content: [] })) },
  ],
  tools: names.map((name) => ({ name })),
  toolChoice: { name: names[0] ?? '' },
  extras: {},
});

const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 100, unit: 'grapheme' }),
  fc.stringMatching(/^[a-z.:/-]{1,100}$/),
  fc.string({ minLength: 1, maxLength: 4 }).map((end) => LONG + end),
);

describe.each(Object.entries(rules))('names for %s', (_, { tools, calls }) => {
  test('are valid, unique, and the same everywhere', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), (names) => {
        const fitted = withFittedNames(asking(names), { tools, calls });
        const given = fitted.tools?.map((tool) => tool.name) ?? [];
        for (const one of given) expect(one).toMatch(tools.fits);
        expect(new Set(given).size).toBe(names.length);
        expect(fitted.toolChoice).toEqual({ name: given[0] });
        for (const { content } of fitted.messages)
          expect(content.map((part) => ('name' in part ? part.name : ''))).toEqual(given);
      }),
    );
  });

  test('come back as the caller wrote them', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), (names) => {
        const asked = asking(names);
        const given = withFittedNames(asked, { tools, calls }).tools ?? [];
        const called = given.map((tool, index) =>
          asCallerNames({ type: 'tool-call-start', choice: 0, index, id: 'c', name: tool.name }, asked, {
            rules: { tools, calls },
            callers: chatNames,
          }),
        );
        expect(called.map((event) => 'name' in event && event.name)).toEqual(names);
      }),
    );
  });

  test('that are valid stay unchanged', () => {
    const asked = asking(['get_weather', 'Read-2']);
    expect(withFittedNames(asked, { tools, calls })).toBe(asked);
  });
});

describe('ids of calls', () => {
  const given = (id: string): string => fittedCallId(id, messagesNames.calls);
  const back = (id: string): unknown =>
    withFittedNames(asking(['f'], id), chatNames).messages.flatMap(({ content }) =>
      content.map((part) => (part.type === 'tool-call' ? part.id : 'callId' in part ? part.callId : '')),
    );

  test("Kimi's, told to a Messages caller, fit there and are Kimi's again when they come back", () => {
    expect(given('functions.read:0')).toMatch(/^[\w-]+$/);
    expect(back(given('functions.read:0'))).toEqual(['functions.read:0', 'functions.read:0']);
  });

  test('are valid and unique, and short ones stay readable', () => {
    const id = fc.string({ minLength: 1, maxLength: 38, unit: 'grapheme' }).filter((one) => one.length <= 38);
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 6 }), (ids) => {
        const fitted = ids.map(given);
        for (const one of fitted) expect(one).toMatch(messagesNames.calls.fits);
        expect(new Set(fitted).size).toBe(ids.length);
        const read = fitted.map((one, at) => (one.startsWith('odd_') ? back(one) : [ids[at], ids[at]]));
        expect(read).toEqual(ids.map((one) => [one, one]));
      }),
    );
  });
});
