// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import type { OptionKey } from '#contract/options.ts';
import { queryClient } from '../../lib/server/query.ts';
import { GroupsCard } from './groups-card.tsx';
import { footOf, settingsWith } from './testing/settings.ts';
import type { Settings } from './use-settings.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const uses: Record<string, object> = {
  vip: { users: 3, tokens: 2, channels: 1, settings: [] },
  svip: { users: 0, tokens: 0, channels: 0, settings: [] },
};

/** The card with this ratio typed over `default`, `vip` and `svip`, after a click on save. */
const saveWith = async (text: string, autoGroups?: string) => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    const name = new URL(url, 'http://gate.example').searchParams.get('name') ?? '';
    asked.push(name);
    return Response.json({ success: true, message: '', data: uses[name] });
  });
  const save = vi.fn<Settings['save']>(() => Promise.resolve(true));
  const settings = settingsWith({
    saved: new Map([['GroupRatio', '{"default":1,"vip":1,"svip":1}']]),
    text: (key) => (key === 'AutoGroups' ? (autoGroups ?? '[]') : text),
    changed: () => ['GroupRatio'],
    save,
  });
  const card = footOf('operation', 'groups');
  const keys: OptionKey[] = autoGroups === undefined ? [] : ['AutoGroups'];
  render(<GroupsCard card={{ ...card, keys }} settings={settings} />);
  fireEvent.click(screen.getByRole('button', { name: 'saveCard' }));
  return { save, asked };
};

it('a group in use is removed only after its users were shown and the removal confirmed', async () => {
  const { save, asked } = await saveWith('{"default":1}');
  const users = await screen.findByRole('link', { name: '3' });
  expect(users.getAttribute('href')).toBe('/user?group=vip');
  expect(screen.getByRole('link', { name: '1' }).getAttribute('href')).toBe('/channel?group=vip');
  expect(screen.queryByText('svip')).toBeNull();
  expect(asked).toEqual(['vip', 'svip']);
  expect(save).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: '保留分组' }));
  await expect.poll(() => screen.queryByRole('link', { name: '3' })).toBeNull();
  expect(save).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'saveCard' }));
  fireEvent.click(await screen.findByRole('button', { name: '移除' }));
  await expect.poll(() => save.mock.calls.length).toBe(1);
  expect(save).toHaveBeenCalledWith([], ['vip']);
});

it('does not ask if the group is unused, or no group is removed', async () => {
  const empty = await saveWith('{"default":1,"vip":1}');
  await expect.poll(() => empty.save.mock.calls.length).toBe(1);
  expect(empty.asked).toEqual(['svip']);
  cleanup();
  const same = await saveWith('{"default":1,"vip":0.5,"svip":1}');
  await expect.poll(() => same.save.mock.calls.length).toBe(1);
  expect(same.asked).toEqual([]);
});

it('a group that only a setting names is removed with it unasked, and else after that was said', async () => {
  uses['svip'] = { users: 0, tokens: 0, channels: 0, settings: ['AutoGroups'] };
  const together = await saveWith('{"default":1,"vip":1}', '["default"]');
  await expect.poll(() => together.save.mock.calls).toEqual([[['AutoGroups'], ['svip']]]);
  cleanup();
  const { save } = await saveWith('{"default":1,"vip":1}', '["svip"]');
  await screen.findByText(/AutoGroups/);
  expect(save).not.toHaveBeenCalled();
});

it('a group is renamed after it said what follows, and not while settings that name groups are unsaved', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (init?.body !== undefined) sent.push([url, JSON.parse(init.body as string)]);
    const data = { ...uses['vip'], version: 2, drafts: 0 };
    return Response.json({ success: true, message: '', data });
  });
  const open = async (changed: readonly OptionKey[]): Promise<HTMLButtonElement> => {
    cleanup();
    const saved = new Map<OptionKey, string>([['GroupRatio', '{"default":1,"vip":1}']]);
    const settings = settingsWith({ saved, changed: () => [...changed] });
    render(
      <QueryClientProvider client={queryClient}>
        <GroupsCard card={footOf('operation', 'groups')} settings={settings} />
      </QueryClientProvider>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'renameGroup' }));
    fireEvent.change(await screen.findByRole('textbox', { name: '新名称' }), { target: { value: ' gold ' } });
    await screen.findByText(/用户 3、令牌 2、渠道 1/);
    return screen.getByRole<HTMLButtonElement>('button', { name: '改名' });
  };
  expect((await open(['TopupGroupRatio'])).disabled).toBe(true);
  fireEvent.click(await open([]));
  await expect.poll(() => sent).toEqual([['/api/group/rename', { name: 'vip', to: 'gold' }]]);
});
