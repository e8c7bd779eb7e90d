// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { role, userStatus } from '#contract/codes.ts';
import type { OptionKey } from '#contract/options.ts';
import { endSession, startSession } from '../../lib/session/session.ts';
import { queryClient } from '../../lib/server/query.ts';
import { toasts } from '../../lib/toasts.ts';
import zh from '../../locales/zh/settings.json' with { type: 'json' };
import { type Settings, useSettings } from './use-settings.ts';

/** What the server was asked to store, and what it refuses. */
let sent: { key: string; value: string; was?: string }[];
let refused: readonly string[];
let stored: Record<string, string>;
let secretsSet: string[];

const server = async (_: string, init?: RequestInit): Promise<Response> => {
  if (init?.method !== 'PUT') {
    const data = Object.entries(stored).map(([key, value]) => ({ key, value }));
    return Response.json({ success: true, message: '', data, secrets_set: secretsSet });
  }
  const body = JSON.parse(init.body as string) as { key: string; value: string; was?: string };
  sent.push(body);
  if ('options' in body) return Response.json({ success: true, message: '', data: null });
  if (refused.includes(body.key))
    return Response.json({ success: false, message: `no ${body.key}`, data: null }, { status: 400 });
  if (body.was !== undefined && body.was !== stored[body.key])
    return Response.json({ success: false, message: 'changed meanwhile', data: null });
  stored[body.key] = body.value;
  return Response.json({ success: true, message: '', data: null });
};

beforeEach(() => {
  sent = [];
  refused = [];
  secretsSet = [];
  stored = { RetryTimes: '0', TopUpLink: '', SelfUseModeEnabled: 'false' };
  vi.stubGlobal('fetch', vi.fn(server));
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

const open = async (): Promise<() => Settings> => {
  const { result } = renderHook(useSettings, {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  });
  await waitFor(() => expect(result.current.settings).toBeDefined());
  return () => result.current.settings as Settings;
};

const KEYS: readonly OptionKey[] = ['SelfUseModeEnabled', 'RetryTimes', 'TopUpLink'];

const save = async (
  settings: () => Settings,
  typed: Partial<Record<OptionKey, string>>,
): Promise<boolean> => {
  for (const [key, text] of Object.entries(typed)) act(() => settings().change(key as OptionKey, text));
  return act(() => settings().save(KEYS));
};
const said = (): string[] => toasts.get().map(({ text }) => text);

it('has the texts of the specification', () => {
  expect(zh.save).toEqual({
    nothing: '你似乎并没有修改什么',
    done: '保存成功',
    partly: '部分保存失败，请重试',
    failed: '保存失败，请重试',
    checkInput: '请检查输入',
    addressFirst: '请先填写服务器地址',
  });
});

it('saves what changed and nothing else, one call each, switches last', async () => {
  const settings = await open();
  expect(await save(settings, { SelfUseModeEnabled: 'true', RetryTimes: '3', TopUpLink: '' })).toBe(true);
  expect(sent).toEqual([
    { key: 'RetryTimes', value: '3', was: '0' },
    { key: 'SelfUseModeEnabled', value: 'true', was: 'false' },
  ]);
  expect(said()).toEqual(['save.done']);
  expect([settings().changed(KEYS), settings().text('RetryTimes')]).toEqual([[], '3']);
});

it('reports that nothing was changed, also after changing back', async () => {
  const settings = await open();
  expect(await save(settings, { RetryTimes: '0' })).toBe(false);
  expect([sent, said()]).toEqual([[], ['save.nothing']]);
});

it('sends nothing while one input is wrong', async () => {
  const settings = await open();
  expect(await save(settings, { RetryTimes: '-1', TopUpLink: 'https://shop.example' })).toBe(false);
  expect([sent, said()]).toEqual([[], ['save.checkInput']]);
});

it('reports which options were not saved: they keep their input and show the reason, the others are saved', async () => {
  const settings = await open();
  refused = ['TopUpLink'];
  expect(await save(settings, { RetryTimes: '3', TopUpLink: 'https://shop.example' })).toBe(false);
  expect(said()).toEqual(['save.partly']);
  expect([settings().changed(KEYS), settings().problems]).toEqual([
    ['TopUpLink'],
    { TopUpLink: 'No TopUpLink' },
  ]);
});

it('reports a failure if none was saved, and the next try can succeed', async () => {
  const settings = await open();
  refused = ['RetryTimes'];
  expect(await save(settings, { RetryTimes: '3' })).toBe(false);
  expect(said()).toEqual(['save.failed']);
  refused = [];
  expect(await save(settings, {})).toBe(true);
  expect(said()).toEqual(['save.failed', 'save.done']);
});

it('keeps what is typed while it saves, and saves it next', async () => {
  const settings = await open();
  act(() => settings().change('TopUpLink', 'https://shop.example'));
  const saving = act(() => settings().save(KEYS));
  act(() => settings().change('TopUpLink', 'https://shop.example/new'));
  expect([await saving, stored['TopUpLink']]).toEqual([true, 'https://shop.example']);
  expect(settings().text('TopUpLink')).toBe('https://shop.example/new');
  expect([await act(() => settings().save(KEYS)), stored['TopUpLink']]).toEqual([
    true,
    'https://shop.example/new',
  ]);
});

it('saves a secret with the address it goes to in one call', async () => {
  const settings = await open();
  for (const [key, text] of [
    ['SMTPServer', 'mail.example'],
    ['SMTPToken', 'the password'],
    ['RetryTimes', '3'],
  ] as const)
    act(() => settings().change(key, text));
  expect(await act(() => settings().save(['SMTPServer', 'SMTPToken', 'RetryTimes']))).toBe(true);
  expect(sent).toEqual([
    {
      options: [
        { key: 'SMTPServer', value: 'mail.example' },
        { key: 'SMTPToken', value: 'the password' },
      ],
    },
    { key: 'RetryTimes', value: '3', was: '0' },
  ]);
});

it("reports another admin's change since typing began, even if it was read meanwhile, and overwrites it when saved again", async () => {
  const settings = await open();
  act(() => settings().change('RetryTimes', '3'));
  stored['RetryTimes'] = '9';
  await act(() => queryClient.invalidateQueries());
  await waitFor(() => expect(settings().saved.get('RetryTimes')).toBe('9'));
  act(() => settings().change('RetryTimes', '4'));
  expect(await act(() => settings().save(KEYS))).toBe(false);
  expect([stored['RetryTimes'], settings().text('RetryTimes')]).toEqual(['9', '4']);
  expect(settings().problems).toEqual({ RetryTimes: 'Changed meanwhile' });
  expect(await act(() => settings().save(KEYS))).toBe(true);
  expect(stored['RetryTimes']).toBe('4');
});

it("shows another admin's value after discarding one's own", async () => {
  const settings = await open();
  act(() => settings().change('RetryTimes', '3'));
  stored['RetryTimes'] = '9';
  expect(await act(() => settings().save(KEYS))).toBe(false);
  act(() => settings().discard(KEYS));
  expect([settings().text('RetryTimes'), settings().problems]).toEqual(['9', {}]);
});

it('asks for a secret again once its address is changed, and sends nothing until it is typed', async () => {
  secretsSet = ['SMTPToken'];
  stored['SMTPServer'] = 'mail.example';
  const settings = await open();
  act(() => settings().change('SMTPServer', 'other.example'));
  expect([...settings().toRepeat]).toEqual(['SMTPToken']);
  expect(await act(() => settings().save(['SMTPServer', 'SMTPToken']))).toBe(false);
  expect([sent, said()]).toEqual([[], ['save.checkInput']]);
  act(() => settings().change('SMTPToken', 'again'));
  expect([...settings().toRepeat]).toEqual([]);
  expect(await act(() => settings().save(['SMTPServer', 'SMTPToken']))).toBe(true);
});

it.each([
  [role.admin, [true, true, false, false]],
  [role.root, [false, false, false, false]],
])(
  'locks what only the super admin may change, for an admin and for nobody else: rank %i',
  async (rank, locks) => {
    const person = { id: 1, username: 'one', display_name: '', status: userStatus.enabled, group: 'default' };
    startSession({ ...person, role: rank });
    const settings = await open();
    const keys = ['SMTPServer', 'Chats', 'ModelRatio', 'RetryTimes'] as const;
    expect(keys.map((key) => settings().isLocked(key))).toEqual(locks);
    act(endSession);
  },
);
