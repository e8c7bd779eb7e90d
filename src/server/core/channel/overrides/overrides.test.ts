import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { channelOverride, channelOverrides } from '#contract/channel/channel-overrides.ts';
import { activeOverrides, type Override, overrideOf } from './override.ts';
import { overriddenBody } from './override-body.ts';
import { overriddenHeaders } from './override-headers.ts';

const rules = (...given: readonly object[]): readonly Override[] =>
  channelOverrides.parse(given).map(overrideOf);
const problemOf = (given: object): string | undefined => {
  const [issue] = channelOverride.safeParse(given).error?.issues ?? [];
  return issue && `${issue.path.join('.')}: ${issue.code === 'custom' ? issue.message : issue.code}`;
};

const body = {
  model: 'm',
  metadata: { user_id: 'u', keep: 1 },
  messages: [
    { role: 'system', content: 'You are Claude Code. Be **brief**.' },
    { role: 'user', content: [{ type: 'text', text: 'Hello Claude Code' }] },
  ],
  tools: [{ type: 'function', name: 'a' }],
};

describe('rules of a body', () => {
  it.each([
    [
      { op: 'set', path: 'temperature', value: 0 },
      { ...body, temperature: 0 },
    ],
    [
      { op: 'set', path: 'metadata.user_id', value: 'x' },
      { ...body, metadata: { user_id: 'x', keep: 1 } },
    ],
    [
      { op: 'set', path: 'a.b.c', value: [1] },
      { ...body, a: { b: { c: [1] } } },
    ],
    [
      { op: 'delete', path: 'metadata.user_id' },
      { ...body, metadata: { keep: 1 } },
    ],
    [
      { op: 'delete', path: 'tools.0' },
      { ...body, tools: [] },
    ],
    [{ op: 'delete', path: 'messages.*.content.*.type' }, withText('Hello Claude Code', {})],
    [
      { op: 'append', path: 'tools', value: { type: 'x' } },
      { ...body, tools: [...body.tools, { type: 'x' }] },
    ],
    [
      { op: 'append', path: 'tools', value: [1, 2] },
      { ...body, tools: [...body.tools, 1, 2] },
    ],
    [
      { op: 'append', path: 'stop', value: ['x'] },
      { ...body, stop: ['x'] },
    ],
    [{ op: 'append', path: 'messages.-1.content.0.text', value: '!' }, withText('Hello Claude Code!')],
    [
      { op: 'replace', path: 'messages.*.content.*.text', find: 'Claude Code', value: 'you' },
      withText('Hello you'),
    ],
  ])('%j', (rule, after) => {
    expect(overriddenBody(body, rules(rule))).toEqual(after);
  });

  it.each([
    { op: 'delete', path: 'none.of.these' },
    { op: 'set', path: 'messages.7.content', value: 'x' },
    { op: 'set', path: 'messages.1000000000.content', value: 'x' },
    { op: 'set', path: 'messages.-1000000000.content', value: 'x' },
    { op: 'append', path: 'messages.99999999999999999999', value: 'x' },
    { op: 'set', path: 'missing.0.content', value: 'x' },
    { op: 'set', path: 'missing.1000000000', value: 'x' },
    { op: 'set', path: 'missing.*', value: 'x' },
    { op: 'set', path: 'model_name.deep', value: 'x', when: { model: 'other' } },
    { op: 'replace', path: 'metadata', find: 'a', value: 'b' },
    { op: 'append', path: 'messages.0.content', value: { no: 'text' } },
    { op: 'set', path: 'messages.0.role.deep', value: 1 },
  ])('%j changes nothing, and the body stays the same object', (rule) => {
    const active = activeOverrides(rules(rule), { model: 'm', group: 'g', headers: {} });
    expect(overriddenBody(body, active)).toBe(body);
  });

  it('work in their order', () => {
    const after = overriddenBody(
      body,
      rules({ op: 'set', path: 'a', value: 'x' }, { op: 'append', path: 'a', value: 'y' }),
    );
    expect(after).toMatchObject({ a: 'xy' });
  });

  it('never change the body they are given: the next channel gets it too', () => {
    const names = fc.constantFrom('metadata', 'messages', 'tools', '*', '0', '-1', 'content', 'role', 'x');
    const paths = fc
      .array(names, { minLength: 1, maxLength: 5 })
      .map((path) => path.join('.'))
      .filter((path) => !path.startsWith('*'));
    const operation = fc.constantFrom(
      { op: 'set', value: { a: 1 } },
      { op: 'delete' },
      { op: 'append', value: 'x' },
      { op: 'replace', find: 'e*', value: 'y' },
    );
    const before = JSON.stringify(body);
    fc.assert(
      fc.property(fc.array(fc.tuple(operation, paths), { maxLength: 6 }), (given) => {
        const after = overriddenBody(body, rules(...given.map(([op, path]) => ({ ...op, path }))));
        expect(JSON.stringify(body)).toBe(before);
        expect(JSON.parse(JSON.stringify(after))).toEqual(after);
      }),
    );
  });

  it('never make a body grow beyond all measure', () => {
    const many = { messages: Array.from({ length: 1000 }, () => ({ content: 'a'.repeat(1000) })) };
    const long = 'x'.repeat(10_000);
    for (const rule of [
      { op: 'set', path: 'messages.*.more', value: long },
      { op: 'append', path: 'messages.*.content', value: long },
      { op: 'replace', path: 'messages.*.content', find: 'a', value: long },
    ])
      expect(() => overriddenBody(many, rules(rule))).toThrow('make the request too large');
  });

  it('change at most 20,000 places of a body, all rules together', () => {
    const of = (places: number) => ({ messages: Array.from({ length: places }, () => ({ a: 1, b: 1 })) });
    const both = rules({ op: 'delete', path: 'messages.*.a' }, { op: 'set', path: 'messages.*.b', value: 2 });
    expect(overriddenBody(of(10_000), both)).toEqual({ messages: Array(10_000).fill({ b: 2 }) });
    expect(() => overriddenBody(of(10_001), both)).toThrow('make the request too large');
  });
});

function withText(text: string, type: object = { type: 'text' }) {
  const [first, second] = body.messages;
  return { ...body, messages: [first, { ...second, content: [{ ...type, text }] }] };
}

describe('conditions', () => {
  const subject = {
    model: 'claude-opus-5',
    group: 'vip',
    headers: { 'user-agent': 'claude-cli/2.0', 'x-many': ['a', 'b'] },
  };
  it.each([
    [{ model: 'claude-*' }, true],
    [{ model: 'gpt-*' }, false],
    [{ group: 'vip' }, true],
    [{ group: 'vi' }, false],
    [{ header: { name: 'User-Agent' } }, true],
    [{ header: { name: 'user-agent', value: 'claude-cli/*' } }, true],
    [{ header: { name: 'x-many', value: 'a, b' } }, true],
    [{ header: { name: 'x-none' } }, false],
    [{ model: 'claude-*', group: 'other' }, false],
  ])('%j', (when, holds) => {
    const all = rules({ op: 'set', path: 'a', value: 1, when });
    expect(activeOverrides(all, subject)).toEqual(holds ? all : []);
  });
});

describe('rules of headers', () => {
  const headers = { authorization: 'Bearer k', 'anthropic-beta': 'one,two, three' };
  const caller = {
    authorization: 'Bearer caller',
    cookie: 'c=1',
    'x-stainless-os': 'Linux',
    'x-stainless-token': 'secret',
    'x-broken': 'a\r\nhost: evil',
    'x-app': 'cli',
  };
  it.each([
    [
      { op: 'set', path: 'X-App', value: 'own' },
      { ...headers, 'x-app': 'own' },
    ],
    [{ op: 'delete', path: 'anthropic-beta' }, { authorization: 'Bearer k' }],
    [
      { op: 'append', path: 'anthropic-beta', value: 'four' },
      { ...headers, 'anthropic-beta': 'one,two, three, four' },
    ],
    [
      { op: 'append', path: 'x-new', value: 'four' },
      { ...headers, 'x-new': 'four' },
    ],
    [
      { op: 'replace', path: 'anthropic-beta', find: 'two', value: '' },
      { ...headers, 'anthropic-beta': 'one, three' },
    ],
    [{ op: 'replace', path: 'anthropic-beta', find: '*', value: '' }, { authorization: 'Bearer k' }],
    [
      { op: 'pass', path: 'x-app' },
      { ...headers, 'x-app': 'cli' },
    ],
    [
      { op: 'pass', path: 'x-stainless-*' },
      { ...headers, 'x-stainless-os': 'Linux' },
    ],
    [{ op: 'pass', path: 'x-broken' }, headers],
    [{ op: 'pass', path: 'x-none' }, headers],
  ])('%j', (rule, after) => {
    expect(overriddenHeaders(headers, rules({ on: 'header', ...rule }), caller)).toEqual(after);
  });
});

describe('nonsense is refused with its place', () => {
  it.each([
    [{ op: 'move', path: 'a' }, 'op: invalid_value'],
    [{ op: 'set', path: 'a', value: 1, mode: 'x' }, ': unrecognized_keys'],
    [{ op: 'set', path: 'a' }, 'value: override_value'],
    [{ op: 'delete', path: 'a', value: 1 }, 'value: issue_unwanted'],
    [{ op: 'set', path: 'a', value: 1, find: 'x' }, 'find: issue_unwanted'],
    [{ op: 'replace', path: 'a', value: 'x' }, 'find: override_find'],
    [{ op: 'replace', path: 'a', value: 1, find: 'x' }, 'value: issue_text'],
    [{ op: 'replace', path: 'a', value: 'x', find: 'a*b*c*d*e*f' }, 'find: override_stars'],
    [{ op: 'set', path: 'a.__proto__.b', value: 1 }, 'path: override_path'],
    [{ op: 'set', path: 'constructor', value: 1 }, 'path: override_path'],
    [{ op: 'set', path: 'a..b', value: 1 }, 'path: override_path'],
    [{ op: 'set', path: '*', value: 1 }, 'path: override_path'],
    [{ op: 'set', path: '$files', value: 1 }, 'path: override_path'],
    [{ op: 'set', path: 'a.b.c.d.e.f.g.h.i.j.k.l.m', value: 1 }, 'path: override_path'],
    [
      { op: 'set', path: 'a', value: JSON.parse('{"b":{"__proto__":1}}') as object },
      'value: override_value_deep',
    ],
    [{ op: 'set', path: 'model', value: 'dear' }, 'path: override_deciding'],
    [{ op: 'delete', path: 'stream' }, 'path: override_deciding'],
    [{ op: 'set', path: 'models', value: ['dear'] }, 'path: override_deciding'],
    [{ op: 'set', path: 'fallbacks', value: ['dear'] }, 'path: override_deciding'],
    [{ op: 'set', path: 'background', value: true }, 'path: override_deciding'],
    [{ op: 'set', path: 'previous_response_id', value: 'resp_1' }, 'path: override_deciding'],
    [{ op: 'set', path: 'conversation', value: 'conv_1' }, 'path: override_deciding'],
    [{ op: 'set', path: 'extra_body.model', value: 'dear' }, 'path: override_deciding'],
    [{ op: 'set', path: 'extra_body', value: { models: ['dear'] } }, 'path: override_deciding'],
    [{ op: 'append', path: 'tools', value: { type: 'image_generation' } }, 'path: override_deciding'],
    [{ op: 'set', path: 'extra_body.*', value: 'dear' }, 'path: override_deciding'],
    [
      { op: 'set', path: 'extra_body.tools', value: [{ type: 'image_generation' }] },
      'path: override_deciding',
    ],
    [{ op: 'set', path: 'parameters.duration', value: 60 }, 'path: override_deciding'],
    [{ op: 'set', path: 'config', value: { durationSeconds: 60 } }, 'path: override_deciding'],
    [{ op: 'delete', path: 'parameters.*' }, 'path: override_deciding'],
    [{ op: 'set', path: 'max_tokens', value: -1 }, 'value: override_number'],
    [{ op: 'set', path: 'max_tokens', value: 0 }, 'value: override_number'],
    [{ op: 'set', path: 'max_tokens', value: '100' }, 'value: override_number'],
    [{ op: 'set', path: 'max_tokens', value: {} }, 'value: override_number'],
    [{ op: 'set', path: 'generationConfig.maxOutputTokens', value: 1.5 }, 'value: override_number'],
    [{ op: 'set', path: 'extra_body', value: { min_tokens: 1e12 } }, 'value: override_number'],
    [{ op: 'append', path: 'n', value: 129 }, 'value: override_number'],
    [{ op: 'set', path: 'best_of', value: true }, 'value: override_number'],
    [{ op: 'pass', path: 'a' }, 'path: override_pass_header'],
    [{ op: 'set', on: 'header', path: 'Authorization', value: 'x' }, 'path: override_header_fixed'],
    [{ op: 'pass', on: 'header', path: 'cookie' }, 'path: override_header_fixed'],
    [{ op: 'pass', on: 'header', path: 'x-api-key' }, 'path: override_header_fixed'],
    [{ op: 'set', on: 'header', path: 'host', value: 'x' }, 'path: override_header_fixed'],
    [{ op: 'set', on: 'header', path: 'content-length', value: '1' }, 'path: override_header_fixed'],
    [{ op: 'pass', on: 'header', path: 'transfer-encoding' }, 'path: override_header_fixed'],
    [{ op: 'pass', on: 'header', path: '*' }, 'path: override_header_name'],
    [{ op: 'set', on: 'header', path: 'x-*', value: 'x' }, 'path: override_header_name'],
    [{ op: 'set', on: 'header', path: 'x y', value: 'x' }, 'path: override_header_name'],
    [{ op: 'set', on: 'header', path: 'x-a', value: 'a\r\nb: c' }, 'value: override_header_value'],
    [{ op: 'set', on: 'header', path: 'x-a', value: 1 }, 'value: override_header_value'],
    [{ op: 'set', path: 'a', value: 1, when: { user: 'x' } }, 'when: unrecognized_keys'],
    [
      { op: 'set', path: 'a', value: 1, when: { header: { name: 'authorization' } } },
      'when.header.name: override_header_fixed',
    ],
  ])('%j', (rule, problem) => {
    expect(problemOf(rule)).toBe(problem);
  });
});

describe('sensible numbers are accepted', () => {
  it.each([
    { op: 'set', path: 'max_tokens', value: 8000 },
    { op: 'set', path: 'max_tokens', value: null },
    { op: 'set', path: 'min_tokens', value: 0 },
    { op: 'set', path: 'n', value: 1 },
    { op: 'set', path: 'thinking.budget_tokens', value: -1 },
    { op: 'set', path: 'metadata.n', value: 'north' },
    { op: 'set', path: 'generationConfig.responseSchema', value: { properties: { n: { type: 'integer' } } } },
    { op: 'set', path: 'tools.0.parameters', value: { samples: 'all' } },
  ])('%j', (rule) => {
    expect(problemOf(rule)).toBeUndefined();
  });
});
