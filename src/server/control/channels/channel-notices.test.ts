import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { type Language, sayPhrase } from '#contract/messages.ts';
import { signedBody, type OutboundRequest } from '#core/outbound/outbound.ts';
import type { User } from '#core/user/user.ts';
import type { Mail } from '#core/mail.ts';
import { createChannelNotices, type Notice } from './channel-notices.ts';
import { createNotifyUser } from '../people/notify-user.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const root = { id: 1, email: 'root@example.com', setting: '' } as User;
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('tells at most twice in ten minutes of one channel and kind', async () => {
  let nowMs = 0;
  const told: string[] = [];
  const notices = createChannelNotices({
    users: { ofRole: async () => [root] },
    notify: async (_user, notice: Notice) => void told.push(sayPhrase(notice.title, 'zh')),
    clock: { now: () => nowMs, monotonic: () => nowMs },
    log: quiet,
  });
  const one = { id: 7, name: 'main' };
  for (let times = 0; times < 4; times += 1) notices.tell('disabled', one, 'no credit');
  notices.tell('enabled', one, '');
  notices.tell('disabled', { id: 8, name: 'other' }, 'no credit');
  await turn();
  const off = '通道「main」（#7）已被禁用';
  expect(told).toEqual([off, off, '通道「main」（#7）已被启用', '通道「other」（#8）已被禁用']);
  nowMs = 10 * 60_000 - 1;
  notices.tell('disabled', one, 'no credit');
  await turn();
  expect(told).toHaveLength(4);
  nowMs += 1;
  notices.tell('disabled', one, 'no credit');
  await turn();
  expect(told).toHaveLength(5);
});

it('reports at most twenty channels in ten minutes, and more after those, whatever the clock says', async () => {
  let nowMs = 0;
  let wallMs = 10 * 3_600_000;
  let told = 0;
  const notices = createChannelNotices({
    users: { ofRole: async () => [root] },
    notify: async () => void (told += 1),
    clock: { now: () => wallMs, monotonic: () => nowMs },
    log: quiet,
  });
  const failAll = async (): Promise<void> => {
    for (let id = 1; id <= 100; id += 1) notices.tell('disabled', { id, name: 'x' }, 'no credit');
    await turn();
  };
  await failAll();
  expect(told).toBe(20);
  nowMs = 10 * 60_000;
  wallMs -= 3_600_000;
  await failAll();
  expect(told).toBe(40);
});

it('names of channels and words of upstreams add no lines to a mail', async () => {
  const { notify, mails } = notifying();
  const values = {
    id: 7,
    name: 'main\r\nBcc: x@evil.example\u2028<b>',
    reason: `no credit\n\nYour account is locked: https://evil.example\n\n-- \nTollgate${'!'.repeat(9000)}`,
  };
  await notify(root, {
    kind: 'channel_disabled',
    title: { key: 'notice_disabled_title', values },
    text: { key: 'notice_disabled_text', values },
  });
  expect(mails[0]?.subject).toBe('Tollgate · 通道「main Bcc: x@evil.example <b>」（#7）已被禁用');
  const paragraphs = mails[0]?.text.split('\n\n') ?? [];
  expect(paragraphs).toHaveLength(3);
  expect(paragraphs[1]).toContain('no credit Your account is locked: https://evil.example -- Tollgate!!!');
  expect(paragraphs[1]?.length).toBeLessThan(2100);
  expect(mails[0]?.html).not.toContain('<b>');
});

const notice: Notice = {
  kind: 'channel_disabled',
  title: { key: 'notice_tested_title' },
  text: { key: 'notice_tested_text', values: { total: 3, failed: 1 } },
};
const notifying = (status = 200, language: Language = 'zh') => {
  const mails: Mail[] = [];
  const requests: OutboundRequest[] = [];
  const notify = createNotifyUser({
    mailer: () => ({ isReady: () => true, send: async (mail) => void mails.push(mail) }),
    sender: {
      send: async (request) => {
        requests.push(request);
        return { status, headers: {}, body: Object.assign((async function* () {})(), { discard: () => {} }) };
      },
    },
    checkUrl: (url) => {
      if (url.includes('10.0.0.1')) throw new Error('private address');
    },
    siteName: () => 'Tollgate',
    language: () => language,
    vault: { decrypt: (sealed) => sealed },
    clock: { now: () => 5000, monotonic: () => 0 },
  });
  return { notify, mails, requests };
};

it('a notice goes by mail to the address of notices, else of the account', async () => {
  const { notify, mails } = notifying();
  await notify(root, notice);
  await notify({ ...root, setting: JSON.stringify({ notification_email: 'ops@example.com' }) }, notice);
  expect(mails.map(({ to }) => to)).toEqual(['root@example.com', 'ops@example.com']);
});

it('a notice is in the language its reader chose, else in that of the site', async () => {
  const { notify, mails, requests } = notifying();
  await notify(root, notice);
  await notify({ ...root, setting: JSON.stringify({ language: 'en' }) }, notice);
  await notify({ ...root, setting: JSON.stringify({ language: 'xx' }) }, notice);
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Tollgate · 通道测试完成',
    'Tollgate · All channels were tested',
    'Tollgate · 通道测试完成',
  ]);
  expect(mails[1]?.text).toContain('3 channels tested, 1 failed.');
  expect(mails[1]?.text).toContain('Nobody reads answers.');
  const site = notifying(200, 'en');
  await site.notify(root, notice);
  await site.notify({ ...root, setting: JSON.stringify({ language: 'zh' }) }, notice);
  expect(site.mails.map(({ subject }) => subject)).toEqual([
    'Tollgate · All channels were tested',
    'Tollgate · 通道测试完成',
  ]);
  const english = { notify_type: 'webhook', webhook_url: 'https://hooks.example.com/a', language: 'en' };
  await notify({ ...root, setting: JSON.stringify(english) }, notice);
  expect(requests.map(signedBody).join('')).toContain('3 channels tested, 1 failed.');
});

const hooked = (url: string): User => ({
  ...root,
  setting: JSON.stringify({ notify_type: 'webhook', webhook_url: url, webhook_secret_sealed: 'hush' }),
});

it('a notice by webhook is signed with the secret and goes only to guarded https addresses', async () => {
  const { notify, requests, mails } = notifying();
  await notify(hooked('https://hooks.example.com/a'), notice);
  expect(requests).toMatchObject([
    { method: 'POST', url: 'https://hooks.example.com/a', headers: { authorization: 'Bearer hush' } },
  ]);
  const body = requests.map(signedBody).join('');
  const signature = createHmac('sha256', 'hush').update(body).digest('hex');
  expect(requests[0]?.headers['x-webhook-signature']).toBe(signature);
  expect(JSON.parse(body)).toEqual({
    type: 'channel_disabled',
    title: '通道测试完成',
    content: '共测试 3 个通道，其中 1 个失败。',
    timestamp: 5,
  });
  await expect(notify(hooked('http://hooks.example.com/a'), notice)).rejects.toThrow('https');
  await expect(notify(hooked('https://10.0.0.1/a'), notice)).rejects.toThrow('private');
  await expect(notifying(500).notify(hooked('https://hooks.example.com/a'), notice)).rejects.toThrow('500');
  expect(mails).toEqual([]);
});
