import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { OptionValues } from '#contract/options.ts';
import { signInServices } from '#contract/sign-in-services.ts';
import { awakeSignal } from '#core/time/awake-timer.ts';
import { addressKey } from '#core/address-key.ts';
import type { Clock } from '#core/clock.ts';
import type { Sender } from '#core/outbound/outbound.ts';
import type { SharedLimiter } from '#core/limits/rate-limiter.ts';
import type { TicketStore } from '#core/ticket-store.ts';
import { readReply } from '../../channels/checks/read-reply.ts';
import { refuse, countOrRefuse } from '../../refuse.ts';

const TELEGRAM_MAX_AGE_S = 300;
/** Allowed clock difference. */
const TELEGRAM_AHEAD_S = 60;
const WECHAT_TIMEOUT_MS = 5000;

export interface MessengerDeps {
  readonly sender: Pick<Sender, 'send'>;
  readonly tickets: Pick<TicketStore, 'claim'>;
  readonly wechatLimits: Readonly<Record<'byAccount' | 'byAddress' | 'byAll', SharedLimiter>>;
  readonly options: () => OptionValues;
  readonly clock: Clock;
}

export type MessengerIdentities = ReturnType<typeof createMessengerIdentities>;

/** Stored as it is, like the ids of other services. */
const wechatAnswer = z.object({ success: z.literal(true), data: z.string().regex(/^[^\0]{1,255}$/) });

/** Verifies a user's identity at the two messengers, each with its own protocol. */
export const createMessengerIdentities = (deps: MessengerDeps) => ({
  /** Whose code this is. `userId`: who wants to bind it. */
  wechat: (code: string, ip: string, userId?: number): Promise<string> =>
    wechatIdentity(deps, code, ip, userId),

  /**
   * The login widget: HMAC-SHA-256 over the fields sorted, keyed with SHA-256 of the bot's token. At most five minutes
   * old and good once. Source: Telegram, "Checking authorization".
   */
  async telegram(answer: Readonly<Record<string, string | undefined>>): Promise<string> {
    const { tickets, options, clock } = deps;
    const { TelegramOAuthEnabled, TelegramBotToken } = options();
    if (!TelegramOAuthEnabled || TelegramBotToken === '')
      throw refuse('provider_off', { provider: signInServices.telegram.name });
    const { hash = '', ...signed } = answer;
    const nowMs = clock.now();
    const ageSeconds = nowMs / 1000 - Number(signed['auth_date']);
    const isRecent = ageSeconds <= TELEGRAM_MAX_AGE_S && ageSeconds >= -TELEGRAM_AHEAD_S;
    const wanted = signatureOf(signed, TelegramBotToken);
    if (wanted === undefined || !isSame(wanted, hash) || !isRecent) throw wrong();
    const expiresAtMs = nowMs + 2 * TELEGRAM_MAX_AGE_S * 1000;
    // The hash is stored in canonical form. Otherwise the same answer could be used again with other capitals or a
    // suffix.
    const key = wanted.toString('hex');
    if (!(await tickets.claim({ kind: 'telegram', key, value: '', nowMs, expiresAtMs }))) throw wrong();
    return signed['id'] ?? '';
  },
});

/** The companion server of the WeChat account: GET /api/wechat/user?code, its token in Authorization. */
const wechatIdentity = async (
  { sender, options, wechatLimits }: MessengerDeps,
  code: string,
  ip: string,
  userId: number | undefined,
): Promise<string> => {
  const { WeChatAuthEnabled, WeChatServerAddress, WeChatServerToken } = options();
  if (!WeChatAuthEnabled) throw refuse('provider_off', { provider: signInServices.wechat.name });
  if (code === '') throw refuse('wechat_code_wrong');
  const counts = [
    { limit: wechatLimits.byAddress, key: addressKey(ip) },
    ...(userId === undefined ? [] : [{ limit: wechatLimits.byAccount, key: String(userId) }]),
    { limit: wechatLimits.byAll, key: 'all' },
  ];
  // Counted before the answer is known, so that parallel guesses get no extra tries.
  for (const { limit, key } of counts) {
    await countOrRefuse(limit, key);
  }
  const wasNoGuess = () => Promise.all(counts.map(({ limit, key }) => limit.giveBack(key)));
  const url = `${WeChatServerAddress}/api/wechat/user?code=${encodeURIComponent(code)}`;
  const headers = { authorization: WeChatServerToken, accept: 'application/json' };
  const { body } = await sender
    .send({ method: 'GET', url, headers }, awakeSignal(WECHAT_TIMEOUT_MS))
    .then(readReply)
    .then((reply) => {
      if (reply.status !== 200) throw new Error(`status ${String(reply.status)}`);
      return reply;
    })
    .catch(async () => {
      await wasNoGuess();
      throw refuse('provider_failed', {
        provider: signInServices.wechat.name,
        issue: { key: 'proof_no_answer' },
      });
    });
  const read = wechatAnswer.safeParse(body);
  if (!read.success) throw refuse('wechat_code_wrong');
  await wasNoGuess();
  return read.data.data;
};

const wrong = () =>
  refuse('provider_failed', { provider: signInServices.telegram.name, issue: { key: 'proof_over' } });

/** Undefined if a value contains a line break, which could make the text read as other fields. */
const signatureOf = (
  fields: Readonly<Record<string, string | undefined>>,
  botToken: string,
): Buffer | undefined => {
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .toSorted();
  if (lines.some((line) => line.includes('\n'))) return undefined;
  const key = createHash('sha256').update(botToken).digest();
  return createHmac('sha256', key).update(lines.join('\n')).digest();
};

const isSame = (wanted: Buffer, hash: string): boolean => {
  const given = Buffer.from(hash, 'hex');
  return given.length === wanted.length && timingSafeEqual(wanted, given);
};
