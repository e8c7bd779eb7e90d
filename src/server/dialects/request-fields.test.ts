import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import { chatDialects } from './chat-dialects.ts';
import { isChatComplete } from './testing/request-fields/chat-fields.ts';
import type { Fate, RequestField } from './testing/request-fields/field.ts';
import { requestFields } from './testing/request-fields/request-fields.ts';
import { isResponsesComplete } from './testing/request-fields/responses-fields.ts';

type Json = Readonly<Record<string, unknown>>;

const formats = Object.keys(chatDialects) as DialectName[];
const docs = readFileSync(new URL('../../../docs/dialects.md', import.meta.url), 'utf8');

/** A minimal request of each format. */
const PLAIN: Readonly<Record<DialectName, Json>> = {
  'openai-chat': { model: 'm', messages: [{ role: 'user', content: 'hi' }] },
  'openai-responses': { model: 'm', input: [{ role: 'user', content: 'hi' }] },
  'anthropic-messages': {
    model: 'm',
    max_tokens: 5000,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  },
  gemini: { model: 'm', stream: false, contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
};
const MODELS: Readonly<Record<DialectName, string>> = {
  'openai-chat': 'gpt-5',
  'openai-responses': 'gpt-5',
  'anthropic-messages': 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-pro',
};

/** The body with a value at a dotted path; numbers are places in lists. */
const withAt = (body: unknown, [first = '', ...rest]: readonly string[], value: unknown): unknown => {
  const inner = (before: unknown): unknown => (rest.length === 0 ? value : withAt(before, rest, value));
  if (/^\d+$/.test(first)) {
    const list: unknown[] = Array.isArray(body) ? [...(body as unknown[])] : [];
    list[Math.min(Number(first), list.length)] = inner(list[Number(first)]);
    return list;
  }
  const fields = typeof body === 'object' && body !== null ? (body as Json) : {};
  return { ...fields, [first]: inner(fields[first]) };
};

const writtenFor = (caller: DialectName, target: DialectName, body: unknown): Json => {
  const read = chatDialects[caller].readRequest(body);
  const model = read.model === 'm' ? MODELS[target] : read.model;
  return chatDialects[target].writeRequest({ ...read, model });
};

/** What happens to the field, and the name in the error if it is refused. */
const fateOf = (caller: DialectName, target: DialectName, path: string, { value, beside }: RequestField) => {
  const plain = { ...PLAIN[caller], ...beside };
  try {
    const written = writtenFor(caller, target, withAt(plain, path.split('.'), value));
    const without = writtenFor(caller, target, plain);
    return { fate: JSON.stringify(written) === JSON.stringify(without) ? 'left out' : 'carried', param: '' };
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'invalid_request') throw thrown;
    return { fate: 'refused', param: thrown.param ?? '' };
  }
};

const expectedFate = ({ fate }: RequestField, target: DialectName): Fate | undefined =>
  typeof fate === 'string' ? fate : fate[target];

describe.each(formats)('a request of the %s format to an upstream of another', (caller) => {
  const fields = Object.entries(requestFields[caller]);

  test.each(formats.filter((target) => target !== caller))(
    '%s: every field has the fate the table says',
    (target) => {
      const fates = Object.fromEntries(
        fields.flatMap(([path, field]) =>
          expectedFate(field, target) === undefined ? [] : [[path, fateOf(caller, target, path, field).fate]],
        ),
      );
      const expected = Object.fromEntries(
        fields.flatMap(([path, field]) => {
          const fate = expectedFate(field, target);
          return fate === undefined ? [] : [[path, fate]];
        }),
      );
      expect(fates).toEqual(expected);
    },
  );

  test('what is refused is named', () => {
    const nameless = fields.flatMap(([path, field]) =>
      formats
        .filter((target) => target !== caller && expectedFate(field, target) === 'refused')
        .filter((target) => fateOf(caller, target, path, field).param === '')
        .map((target) => `${path} → ${target}`),
    );
    expect(nameless).toEqual([]);
  });

  test('what is left out stands in docs/dialects.md', () => {
    const silent = fields
      .filter(([, field]) => formats.some((target) => expectedFate(field, target) === 'left out'))
      .map(([path]) => path.split('.').at(-1) ?? '')
      .filter((name) => !docs.includes(`\`${name}\``));
    expect(silent).toEqual([]);
  });
});

test("the tables name every field of the makers' client libraries", () => {
  expect([isChatComplete, isResponsesComplete]).toEqual([true, true]);
});
