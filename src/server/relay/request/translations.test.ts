import { describe, expect, test } from 'vitest';
import { AppError } from '#core/error.ts';
import type { DialectName } from '#core/chat/request.ts';
import type { Fields } from '#core/json/fields.ts';
import { chatDialects } from '../../dialects/chat-dialects.ts';
import { requestOf } from '../testing/answered-call.ts';
import { Translations } from './translations.ts';

const TERMS = { systemPrompt: '', isUnsigned: false, omitsTools: false, outputLimit: undefined };
const formats = Object.keys(chatDialects) as DialectName[];

const translated = (caller: DialectName, target: DialectName, fields: Fields): Fields | AppError => {
  const request = requestOf({ model: 'm', ...fields });
  return new Translations(chatDialects[caller], request).in(chatDialects[target], { model: 'm', ...TERMS });
};
const refusedField = (caller: DialectName, target: DialectName, fields: Fields): string | undefined => {
  const made = translated(caller, target, fields);
  return made instanceof AppError ? made.param : undefined;
};
const others = (caller: DialectName): DialectName[] => formats.filter((format) => format !== caller);

const user = { role: 'user', content: 'hi' };
const answer = { role: 'assistant', content: 'yes' };
const schema = { type: 'object', properties: { a: { type: 'string' } } };
const look = { name: 'look', input_schema: schema };
const system = (...content: readonly Fields[]): Fields => ({ role: 'system', content });
const addition = (tool: Fields): Fields => ({ type: 'tool_addition', tool });
const removal = (name: string): Fields => ({ type: 'tool_removal', tool: { type: 'tool_reference', name } });
const defining = (name: string): Fields =>
  addition({ type: 'tool_definition', definition: { name, input_schema: schema } });

describe.each(others('anthropic-messages'))(
  'tools that a Messages caller changes midway, told to %s',
  (target) => {
    const told = (...changes: readonly Fields[]): string => {
      const messages = [user, answer, user, system(...changes), user];
      return JSON.stringify(
        translated('anthropic-messages', target, { max_tokens: 9, tools: [look], messages }),
      );
    };

    test('are those that are there at the end', () => {
      expect(told(defining('late'))).toMatch(/"name":"look".*"name":"late"/);
      expect(told(defining('late'), removal('look'))).not.toContain('"name":"look"');
      expect(told(removal('look'), addition({ type: 'tool_reference', name: 'look' }))).toContain(
        '"name":"look"',
      );
      expect(told(defining('late'))).not.toContain('tool_addition');
    });

    test('are refused by the message where the upstream itself would have to find them', () => {
      const messages = [
        user,
        system(addition({ type: 'mcp_toolset_reference', mcp_server_name: 's' })),
        user,
      ];
      expect(refusedField('anthropic-messages', target, { max_tokens: 9, messages })).toBe('messages.1');
    });
  },
);

test('instructions within a conversation stay where they are for an upstream of the same format', () => {
  const middle = system({ type: 'text', text: 'be brief' }, defining('late'));
  const messages = [user, answer, user, middle];
  const fields = { max_tokens: 9, system: 'be kind', tools: [look], messages };
  expect(translated('anthropic-messages', 'anthropic-messages', fields)).toMatchObject(fields);
});

describe('instructions with more than words', () => {
  const image_url = { url: 'data:image/png;base64,iVBORw0KGgo=' };
  const drawn = { messages: [{ role: 'system', content: [{ type: 'image_url', image_url }] }, user] };
  const unknown = {
    messages: [{ role: 'system', content: [{ type: 'new' }, { type: 'text', text: 'a' }] }, user],
  };

  test.each(['anthropic-messages', 'gemini'] as const)(
    'a picture is refused by its message: %s',
    (target) => {
      expect(refusedField('openai-chat', target, drawn)).toBe('messages.0');
    },
  );

  test('a picture goes to Responses, which takes it', () => {
    expect(JSON.stringify(translated('openai-chat', 'openai-responses', drawn))).toContain('input_image');
  });

  test.each(others('openai-chat'))('what only the caller knows is refused by its message: %s', (target) => {
    expect(refusedField('openai-chat', target, unknown)).toBe('messages.0');
  });

  test.each(others('gemini'))('as it is in Gemini: %s', (target) => {
    const systemInstruction = { parts: [{ brandNew: {} }, { text: 'a' }] };
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
    expect(refusedField('gemini', target, { systemInstruction, contents })).toBe('systemInstruction');
  });
});

describe('a tool without a name is refused by its place, and no name is made up', () => {
  const messages = [user];
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
  const bodies: Readonly<Record<DialectName, readonly Fields[]>> = {
    'openai-chat': [
      { messages, tools: [{ type: 'function', function: {} }] },
      { messages, tools: [{ name: 'a', input_schema: schema }] },
      { messages, tools: [{ type: 'custom', custom: {} }] },
    ],
    'openai-responses': [
      { input: 'hi', tools: [{ type: 'function', parameters: schema }] },
      { input: 'hi', tools: [{ type: 'custom' }] },
    ],
    'anthropic-messages': [{ max_tokens: 9, messages, tools: [{ input_schema: schema }] }],
    gemini: [{ contents, tools: [{ functionDeclarations: [{ description: 'a' }] }] }],
  };
  test.each(formats.flatMap((caller) => others(caller).map((target) => [caller, target] as const)))(
    '%s to %s',
    (caller, target) => {
      const refused = bodies[caller].map((fields) => refusedField(caller, target, fields));
      expect(refused).toEqual(bodies[caller].map(() => (caller === 'gemini' ? 'tools[0]' : 'tools.0')));
    },
  );
});

describe.each(others('anthropic-messages'))('a Messages caller, an upstream of %s', (target) => {
  test('a request to fill the cache alone is refused by its limit of 0 tokens', () => {
    expect(refusedField('anthropic-messages', target, { max_tokens: 0, messages: [user] })).toBe(
      'max_tokens',
    );
  });

  test.each(['computer_toolset_20260801', 'browser_toolset_20260801'])(
    '%s is refused by its place',
    (type) => {
      const fields = { max_tokens: 9, messages: [user], tools: [{ type }] };
      expect(refusedField('anthropic-messages', target, fields)).toBe('tools.0');
    },
  );
});

test.each(['anthropic-messages', 'gemini'] as const)('%s is told the usual name of a JPEG', (target) => {
  const image_url = { url: 'data:image/jpg;base64,AAAA' };
  const messages = [{ role: 'user', content: [{ type: 'image_url', image_url }] }];
  const sent = JSON.stringify(translated('openai-chat', target, { messages }));
  expect(sent).toContain('"image/jpeg"');
  expect(sent).not.toContain('image/jpg');
});

test("the order of fields in Google's schemas is not told to Anthropic, which knows no such keyword", () => {
  const responseSchema = {
    type: 'OBJECT',
    properties: {
      propertyOrdering: { type: 'OBJECT', properties: { a: { type: 'STRING' } }, propertyOrdering: ['a'] },
    },
    propertyOrdering: ['propertyOrdering'],
  };
  const generationConfig = { responseMimeType: 'application/json', responseSchema };
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
  const sent = translated('gemini', 'anthropic-messages', { contents, generationConfig });
  expect(sent).toMatchObject({ messages: [{ role: 'user', content: 'hi' }] });
  expect(JSON.stringify(sent)).not.toContain('"propertyOrdering":[');
  expect(JSON.stringify(sent)).toContain('"propertyOrdering":{');
});
