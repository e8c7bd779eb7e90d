import { describe, expect, test } from 'vitest';
import type { DialectName } from '#core/chat/request.ts';
import type { AppError } from '#core/error.ts';
import { modelList } from './model-list.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const page = (dialect: DialectName, query = ''): Record<string, unknown> =>
  modelList(dialect, NAMES, new URLSearchParams(query), () => undefined) as Record<string, unknown>;
const names = (list: unknown): unknown[] =>
  (list as { id?: string; name?: string }[]).map(({ id, name }) => id ?? name?.replace('models/', ''));

describe('a list of models', () => {
  test.each(['openai-chat', 'anthropic-messages', 'gemini'] as const)(
    'comes whole to who asks for no page: %s',
    (dialect) => {
      const { data, models, has_more, nextPageToken } = page(dialect);
      expect(names(data ?? models)).toEqual(NAMES);
      expect([has_more ?? false, nextPageToken]).toEqual([false, undefined]);
    },
  );

  test.each([
    ['limit=2', ['a', 'b'], true],
    ['limit=2&after_id=b', ['c', 'd'], true],
    ['limit=2&after_id=d', ['e'], false],
    ['limit=2&before_id=d', ['b', 'c'], true],
    ['limit=2&before_id=c', ['a', 'b'], false],
    // The model the last page ended with no longer exists.
    ['limit=9&after_id=bb', ['c', 'd', 'e'], false],
    ['after_id=zz', [], false],
  ])('comes in pages to Messages callers: %s', (query, shown, more) => {
    const { data, has_more, first_id, last_id } = page('anthropic-messages', query);
    expect(names(data)).toEqual(shown);
    expect([has_more, first_id, last_id]).toEqual([more, shown[0] ?? null, shown.at(-1) ?? null]);
  });

  test("is paged for Gemini callers, each page with the next page's token", () => {
    const seen: unknown[] = [];
    let token: string | undefined = '';
    for (let pages = 0; token !== undefined && pages < 9; pages += 1) {
      const { models, nextPageToken } = page('gemini', `pageSize=2&pageToken=${token}`);
      seen.push(names(models));
      token = nextPageToken as string | undefined;
    }
    expect(seen).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  test.each([
    ['anthropic-messages', 'limit=0', 'limit'],
    ['anthropic-messages', 'limit=many', 'limit'],
    ['gemini', 'pageSize=-1', 'pageSize'],
  ] as const)('has no such page: %s, %s', (dialect, query, param) => {
    expect(() => page(dialect, query)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param }) as AppError,
    );
  });

  test('says how large a model’s context is, where that is known, in the field of each format', () => {
    const listed = (dialect: DialectName): unknown =>
      modelList(dialect, ['known', 'new'], new URLSearchParams(), (name) =>
        name === 'known' ? 200_000 : undefined,
      );
    expect(listed('openai-chat')).toMatchObject({ data: [{ context_length: 200_000 }, { id: 'new' }] });
    expect(listed('anthropic-messages')).toMatchObject({
      data: [{ max_input_tokens: 200_000, lifecycle: 'active' }, { id: 'new' }],
    });
    expect(listed('gemini')).toMatchObject({
      models: [{ inputTokenLimit: 200_000 }, { displayName: 'new' }],
    });
    for (const dialect of ['openai-chat', 'anthropic-messages', 'gemini'] as const)
      expect(
        JSON.stringify(listed(dialect)).match(/context_length|max_input_tokens|inputTokenLimit/g),
      ).toHaveLength(1);
  });

  test('offers Gemini callers vectors of a model for vectors, and chats of the others', () => {
    const methods = (name: string): unknown =>
      (modelList('gemini', [name], new URLSearchParams(), () => undefined) as { models: object[] }).models[0];
    expect(methods('gemini-embedding-001')).toMatchObject({
      supportedGenerationMethods: expect.not.arrayContaining(['generateContent']),
    });
    expect(methods('gemini-2.5-flash-image')).toMatchObject({
      supportedGenerationMethods: expect.arrayContaining(['generateContent']),
    });
  });
});
