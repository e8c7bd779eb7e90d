import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { chatDialects } from '../../dialects/chat-dialects.ts';
import { fitRequest } from './fit-request.ts';

type Json = Readonly<Record<string, unknown>>;

const written = (from: DialectName, to: DialectName, body: object): Json => {
  const read = chatDialects[from].readRequest({ model: 'm', ...body });
  return chatDialects[to].writeRequest(from === to ? read : fitRequest(read, chatDialects[to]));
};

/** What Claude Code is given by MCP servers: Anthropic and Google take it, OpenAI does not. */
describe('OpenAI is sent schemas in which nothing is missing that it wants', () => {
  const schemas: readonly (readonly [string, object, object])[] = [
    ['no properties', { type: 'object' }, { type: 'object', properties: {} }],
    ['nothing at all', {}, { type: 'object', properties: {} }],
    [
      'properties alone',
      { properties: { a: { type: 'string' } } },
      { type: 'object', properties: { a: { type: 'string' } } },
    ],
    [
      'lists of anything, however deep',
      {
        type: 'object',
        properties: {
          paths: { type: 'array', description: 'all' },
          type: { type: ['string', 'array'] },
          inner: { anyOf: [{ type: 'array', items: { type: 'array' } }, { type: 'null' }] },
          named: { type: 'object', additionalProperties: { type: 'array' } },
        },
        $defs: { list: { type: 'array' } },
      },
      {
        type: 'object',
        properties: {
          paths: { type: 'array', description: 'all', items: {} },
          type: { type: ['string', 'array'], items: {} },
          inner: { anyOf: [{ type: 'array', items: { type: 'array', items: {} } }, { type: 'null' }] },
          named: { type: 'object', additionalProperties: { type: 'array', items: {} } },
        },
        $defs: { list: { type: 'array', items: {} } },
      },
    ],
    [
      'a property of the name of a keyword, and a list that says what is in it',
      { type: 'object', properties: { items: { type: 'string' }, all: { type: 'array', items: true } } },
      { type: 'object', properties: { items: { type: 'string' }, all: { type: 'array', items: true } } },
    ],
  ];
  const offered = (from: DialectName, schema: object): object =>
    from === 'gemini'
      ? {
          contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
          tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: schema }] }],
        }
      : {
          max_tokens: 9,
          messages: [{ role: 'user', content: 'hi' }],
          tools: [{ name: 'f', input_schema: schema }],
        };

  test.each(schemas)('%s', (_, schema, wanted) => {
    for (const from of ['anthropic-messages', 'gemini'] as const) {
      const chat = written(from, 'openai-chat', offered(from, schema))['tools'];
      expect(chat).toMatchObject([{ function: { parameters: wanted } }]);
      const responses = written(from, 'openai-responses', offered(from, schema))['tools'];
      expect(responses).toMatchObject([{ parameters: wanted }]);
    }
  });

  test('and without a choice at the top of parameters, which is told in words and is not strict', () => {
    const at = (name: string) => ({
      type: 'object',
      properties: { [name]: { type: 'array' } },
      required: [name],
    });
    const choice = { anyOf: [at('a'), at('b')], not: { required: ['c'] } };
    const parameters = {
      type: 'object',
      properties: { a: { type: 'array', items: {} }, b: { type: 'array', items: {} } },
    };
    const described = expect.stringContaining(JSON.stringify(choice)) as string;
    for (const from of ['anthropic-messages', 'gemini'] as const) {
      const chat = written(from, 'openai-chat', offered(from, choice))['tools'];
      expect(chat).toEqual([
        { type: 'function', function: { name: 'f', description: described, parameters } },
      ]);
      const responses = written(from, 'openai-responses', offered(from, choice))['tools'];
      expect(responses).toEqual([
        { type: 'function', name: 'f', description: described, parameters, strict: false },
      ]);
    }
    const strict = {
      ...offered('anthropic-messages', {}),
      tools: [{ name: 'f', input_schema: choice, strict: true }],
    };
    expect(written('anthropic-messages', 'openai-responses', strict)['tools']).toMatchObject([
      { strict: false },
    ]);
  });

  test.each([
    [['a', 'b'], true],
    [['a'], false],
  ])('and tools are strict only if all is required: %j', (required, strict) => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } };
    const schema = { type: 'object', properties, required, additionalProperties: false };
    const body = {
      ...offered('anthropic-messages', {}),
      tools: [{ name: 'f', input_schema: schema, strict: true }],
    };
    const [tool] = written('anthropic-messages', 'openai-chat', body)['tools'] as { function: Json }[];
    expect(tool?.function).toEqual({ name: 'f', parameters: schema, ...(strict && { strict }) });
    expect(written('anthropic-messages', 'openai-responses', body)['tools']).toMatchObject([{ strict }]);
  });

  test('also the one of an answer', () => {
    const schema = { type: 'array' };
    const body = {
      ...offered('anthropic-messages', {}),
      output_config: { format: { type: 'json_schema', schema } },
    };
    expect(JSON.stringify(written('anthropic-messages', 'openai-chat', body)['response_format'])).toContain(
      '"items":{}',
    );
  });

  test('a schema that has all is the same object', () => {
    const schema = { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } };
    const [tool] = written('anthropic-messages', 'openai-responses', offered('anthropic-messages', schema))[
      'tools'
    ] as Json[];
    expect(tool?.['parameters']).toBe(schema);
  });
});

describe("a strict tool of OpenAI's", () => {
  const allForClaude = (count: number, parameters: object, model: string): readonly Json[] => {
    const tools = Array.from({ length: count }, (_, at) => ({
      type: 'function',
      function: { name: at === 0 ? 'f' : `f${String(at)}`, parameters, strict: true },
    }));
    const body = { model, messages: [{ role: 'user', content: 'hi' }], tools };
    const read = chatDialects['openai-chat'].readRequest(body);
    return (chatDialects['anthropic-messages'].writeRequest(read) as { tools: Json[] }).tools;
  };
  const forClaude = (parameters: object, model = 'claude-sonnet-4-5') =>
    allForClaude(1, parameters, model)[0];
  const schema = (field: object) => ({
    type: 'object',
    properties: { a: field },
    required: ['a'],
    additionalProperties: false,
  });

  test('has its limits in words where Claude enforces its schema, which knows none', () => {
    const limited = schema({ type: 'integer', minimum: 1, maximum: 9 });
    const told = schema({ type: 'integer', description: '(minimum: 1, maximum: 9)' });
    expect(forClaude(limited)).toEqual({ name: 'f', input_schema: told, strict: true });
    expect(forClaude(limited, 'claude-sonnet-4-20250514')).toEqual({ name: 'f', input_schema: limited });
  });

  test('is strict at Claude for the first twenty, as it refuses more', () => {
    const tools = allForClaude(22, schema({ type: 'string' }), 'claude-sonnet-4-5');
    const strict = Array.from({ length: 20 }, () => true);
    expect(tools.map((tool) => tool['strict'])).toEqual([...strict, false, false]);
  });

  test('is not strict where a choice at its top is only told in words', () => {
    expect(forClaude({ anyOf: [schema({ type: 'string' })] })).toMatchObject({ strict: false });
  });
});
