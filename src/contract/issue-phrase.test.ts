import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoints } from './api/endpoints.ts';
import { issuePath, issuePhrase, refusedInput } from './issue-phrase.ts';
import { isMessageKey, messages, sayPhrase } from './messages.ts';
import { isOptionKey, optionRow, optionTable } from './options.ts';
import { entriesAtMost, exactlyOneOf, trimmed, wholeNumber } from './text.ts';

const firstIssue = (schema: z.ZodType, value: unknown): z.core.$ZodIssue => {
  const issue = schema.safeParse(value).error?.issues[0];
  if (issue === undefined) throw new Error('the value was accepted');
  return issue;
};

const ownCheck = z.object({
  fn: z.custom<() => unknown>((fn) => typeof fn === 'function'),
  error: z.custom<(issue: object) => unknown>().optional(),
});

/** The checks of ours (`refine`) in a schema, at any depth. */
function* within(
  value: unknown,
  above: ReadonlySet<unknown> = new Set(),
): Generator<z.infer<typeof ownCheck>> {
  if (typeof value !== 'object' || value === null || above.has(value)) return;
  const path = new Set([...above, value]);
  if (value instanceof z.core.$ZodType || value instanceof z.core.$ZodCheck) {
    const { def } = value._zod;
    const own = ownCheck.safeParse(def);
    if (own.success) yield own.data;
    yield* within({ ...def }, path);
  } else for (const part of Object.values(value)) yield* within(part, path);
}

/** English words left after removing quotes of the value. */
const englishWords = (sentence: string, names: readonly string[]): string[] =>
  (sentence.match(/[A-Za-z]{2,}/g) ?? []).filter((word) => !names.includes(word));

const SAME_IN_BOTH = ['true', 'false', 'JSON', 'NUL', 'URL', 'http', 'https', 'base', 'url'];

it('where it is the whole that is wrong, no name of a field is missed', () => {
  const { key, values } = refusedInput(firstIssue(z.strictObject({ a: z.number() }), []));
  expect([sayPhrase({ key, values }, 'zh'), sayPhrase({ key, values }, 'en')]).toEqual([
    '无效的参数：必须是 JSON 对象',
    'invalid parameter: must be a JSON object',
  ]);
});

describe('what is wrong with a value', () => {
  it.each([
    [z.string(), 1, '必须是文本', 'must be a text'],
    [z.string(), undefined, '必须是文本', 'must be a text'],
    [z.number(), 'x', '必须是数字', 'must be a number'],
    [z.number().int(), 1.5, '必须是整数', 'must be a whole number'],
    [z.number().min(3), 2, '不能小于 3', 'must be at least 3'],
    [z.number().max(3), 4, '不能大于 3', 'must be at most 3'],
    [z.number().gt(3), 3, '必须大于 3', 'must be more than 3'],
    [z.number().lt(3), 3, '必须小于 3', 'must be less than 3'],
    [z.number().multipleOf(5), 3, '必须是 5 的倍数', 'must be a multiple of 5'],
    [z.boolean(), 'yes', '必须是 true 或 false', 'must be true or false'],
    [z.string().min(1), '', '不能为空', 'must not be empty'],
    [z.string().min(2), 'a', '不能少于 2 个字符', 'must have at least 2 characters'],
    [z.string().max(2), 'abc', '不能超过 2 个字符', 'must have at most 2 characters'],
    [z.array(z.string()), {}, '必须是列表', 'must be a list'],
    [z.array(z.string()).max(1), ['a', 'b'], '不能超过 1 项', 'must have at most 1 items'],
    [z.array(z.string()).min(2), ['a'], '不能少于 2 项', 'must have at least 2 items'],
    [z.tuple([z.number()]), [], '不能为空', 'must not be empty'],
    [z.record(z.string(), z.number()), [], '必须是 JSON 对象', 'must be a JSON object'],
    [z.enum(['a', 'b']), 'c', '必须是以下之一："a", "b"', 'must be one of "a", "b"'],
    [z.string().regex(/x/), 'y', '格式不正确', 'does not have the right form'],
    [
      z.record(z.string().max(1), z.number()),
      { ab: 1 },
      '名称不能超过 1 个字符',
      'the name: must have at most 1 characters',
    ],
    [z.union([z.string().max(1), z.number()]), 'ab', '不能超过 1 个字符', 'must have at most 1 characters'],
    [
      z.union([z.string(), z.number()]),
      true,
      '必须是文本，或者必须是数字',
      'must be a text or must be a number',
    ],
    [z.union([z.string(), z.object({ of: z.string() })]), { of: 1 }, 'of：必须是文本', 'of: must be a text'],
    [
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
      { kind: 'c' },
      '必须是以下之一："a", "b"',
      'must be one of "a", "b"',
    ],
    [
      z.record(z.string(), z.number()).superRefine(entriesAtMost(1)),
      { a: 1, b: 2 },
      '不能超过 1 项',
      'must have at most 1 items',
    ],
    [
      z.object({ a: z.number().optional(), b: z.number().optional() }).superRefine(exactlyOneOf('a', 'b')),
      { a: 1, b: 2 },
      'a 与 b 必须且只能填写一个',
      'exactly one of a and b must be given',
    ],
    [z.strictObject({}), { extra: 1 }, '未知字段 extra', 'unknown field extra'],
    [wholeNumber(), '1.5', '格式不正确', 'does not have the right form'],
    [trimmed(5), 'a\0', '不能包含 NUL 字符', 'must not contain NUL'],
    [z.custom(() => false), 1, '不合法', 'is not valid'],
  ] as const)('%# is said in both languages', (schema, value, zh, en) => {
    const phrase = issuePhrase(firstIssue(schema, value));
    expect(sayPhrase(phrase, 'zh')).toBe(zh);
    expect(sayPhrase(phrase, 'en')).toBe(en);
  });

  it('is said with the name of the field, at any depth, and an endless name is cut', () => {
    const schema = z.object({ list: z.array(z.record(z.string(), z.number())) });
    const issue = firstIssue(schema, { list: [{ ['n'.repeat(500)]: 'x' }] });
    expect(issuePath(issue)).toBe(`list.0.${'n'.repeat(100)}…`);
    const short = refusedInput(firstIssue(schema, { list: [{ a: 'x' }] }));
    expect(sayPhrase(short, 'zh')).toBe('无效的参数 list.0.a：必须是数字');
    expect(sayPhrase(short, 'en')).toBe('invalid parameter list.0.a: must be a number');
  });

  it("a schema's own sentence stands alone", () => {
    const issue = firstIssue(z.object({ key: z.string('channel_key_needed') }), {});
    expect(sayPhrase(refusedInput(issue), 'zh')).toBe('请填写密钥');
  });
});

describe('every schema of the contract is refused in Chinese only', () => {
  // The maximum of an option; call fields are shorter.
  const LONG = 'x'.repeat(5_000_000);
  const wrong: readonly unknown[] = [
    undefined,
    null,
    true,
    -1,
    1e300,
    1.5,
    '',
    'x',
    'x y',
    '\0',
    LONG,
    [],
    [null],
    {},
    { unheardOf: 1 },
    '{"": 1}',
    '{"a": -1}',
    '{"a": "b"}',
    '[1]',
    '[{"a": 1}]',
  ];

  /** All issues that any of the values causes. */
  const refusals = (schema: z.ZodType, values = wrong): z.core.$ZodIssue[] =>
    values.flatMap((value) => schema.safeParse(value).error?.issues ?? []);

  /** English words that a Chinese reader would see. Quoted values and names do not count. */
  const foreign = (issue: z.core.$ZodIssue): string[] => {
    if (issue.code === 'unrecognized_keys') return [];
    const words = englishWords(sayPhrase(issuePhrase(issue), 'zh').replaceAll(/"[^"]*"/g, ''), SAME_IN_BOTH);
    return issue.code === 'custom' && !isMessageKey(issue.message) ? [...words, issue.message] : words;
  };

  it('options', () => {
    const keys = Object.keys(optionTable).filter(isOptionKey);
    const issues = keys.flatMap((key) => refusals(optionRow(key).schema));
    expect(issues.length).toBeGreaterThan(500);
    expect(issues.flatMap(foreign)).toEqual([]);
  });

  it('params, queries and bodies of all calls', () => {
    const values = wrong.map((value) => (value === LONG ? LONG.slice(0, 100_000) : value));
    const schemas = endpoints
      .flatMap(({ params, query, body }) => [params, query, body])
      .filter((schema) => schema !== undefined);
    const issues = schemas.flatMap((schema) => {
      const fields = Object.keys((schema as { shape?: object }).shape ?? {});
      const filled = values.map((value) => Object.fromEntries(fields.map((field) => [field, value])));
      return [
        ...refusals(schema, values),
        ...filled.flatMap((input) => schema.safeParse(input).error?.issues ?? []),
      ];
    });
    expect(issues.length).toBeGreaterThan(1000);
    expect(issues.flatMap(foreign)).toEqual([]);
  });

  it('an address that is not sent is asked for, like an empty one', () => {
    for (const path of ['/api/verification', '/api/oauth/email/bind', '/api/reset_password']) {
      const query = endpoints.find((one) => one.path === path)?.query ?? z.never();
      for (const sent of [{}, { email: ' ' }])
        expect(refusedInput(firstIssue(query, sent)).key).toBe('email_needed');
    }
  });

  it('of a number in an address that is none one thing is told', () => {
    const query = endpoints.find(({ path }) => path === '/api/log/self')?.query ?? z.never();
    const { values } = refusedInput(firstIssue(query, { start_timestamp: 'abc' }));
    expect(values?.['issue']).toEqual({ key: 'issue_whole' });
  });

  it('choices are told in one list', () => {
    const isChoice = (schema: unknown): boolean => schema instanceof z.ZodLiteral;
    const inPieces = endpoints.flatMap(({ method, path, body }) =>
      body instanceof z.ZodObject
        ? Object.entries(body.shape).flatMap(([name, schema]) => {
            const inner: unknown = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
            return inner instanceof z.ZodUnion && inner.options.every(isChoice)
              ? [`${method} ${path} ${name}`]
              : [];
          })
        : [],
    );
    expect(inPieces).toEqual([]);
  });

  it('no check of ours refuses without saying why', () => {
    const schemas = [
      ...endpoints.flatMap(({ params, query, body }) => [params, query, body]),
      ...Object.keys(optionTable)
        .filter(isOptionKey)
        .map((key) => optionRow(key).schema),
    ].filter((schema) => schema !== undefined);
    const checks = schemas.flatMap((schema) => [...within(schema)]);
    expect(checks.length).toBeGreaterThan(100);
    expect(
      checks.filter(({ error }) => !isMessageKey(String(error?.({})))).map(({ fn }) => String(fn)),
    ).toEqual([]);
  });

  it('no sentence of the catalogue lacks a language', () => {
    for (const [key, { en, zh }] of Object.entries<Record<'en' | 'zh', string>>(messages)) {
      const isOnlyGaps = en.replaceAll(/\{\w+\}/g, '').trim() === ':';
      expect([key, en !== '', isOnlyGaps || /[一-鿿]/.test(zh)]).toEqual([key, true, true]);
    }
  });
});
