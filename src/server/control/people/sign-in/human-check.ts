import { z } from 'zod';
import type { OptionValues } from '#contract/options.ts';
import { awakeSignal } from '#core/time/awake-timer.ts';
import type { Sender } from '#core/outbound/outbound.ts';
import { readReply } from '../../channels/checks/read-reply.ts';
import { refuse } from '../../refuse.ts';

const TIMEOUT_MS = 5000;
const VERDICT = z.object({ success: z.boolean() });

export interface HumanCheckDeps {
  readonly sender: Pick<Sender, 'send'>;
  readonly options: () => Pick<OptionValues, 'TurnstileCheckEnabled' | 'TurnstileSecretKey'>;
  /** Where Turnstile verifies: `https://challenges.cloudflare.com`. */
  readonly turnstileUrl: string;
}

/** Throws unless the service confirms in time that a human gave this answer; no reply counts as a failure. */
export type HumanCheck = (answer: string, ip: string) => Promise<void>;

/** Undefined if the service said neither yes nor no. */
const isHuman = async (deps: HumanCheckDeps, answer: string, ip: string): Promise<boolean | undefined> => {
  const { TurnstileSecretKey: secret } = deps.options();
  try {
    const reply = await deps.sender.send(
      {
        method: 'POST',
        url: `${deps.turnstileUrl}/turnstile/v0/siteverify`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ secret, response: answer, remoteip: ip }).toString(),
      },
      awakeSignal(TIMEOUT_MS),
    );
    const { status, body } = await readReply(reply);
    return status === 200 ? VERDICT.safeParse(body).data?.success : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Turnstile's server side: POST /turnstile/v0/siteverify. Throws `human_check_failed` for a no, and `human_check_away`
 * for no reply, an error or an invalid reply.
 */
export const createHumanCheck =
  (deps: HumanCheckDeps): HumanCheck =>
  async (answer, ip) => {
    if (!deps.options().TurnstileCheckEnabled) return;
    const verdict = answer !== '' && (await isHuman(deps, answer, ip));
    if (verdict === undefined) throw refuse('human_check_away');
    if (!verdict) throw refuse('human_check_failed');
  };
