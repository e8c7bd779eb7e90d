import { z } from 'zod';
import type { OptionValues } from '#contract/options.ts';
import { awakeSignal } from '#core/awake-timer.ts';
import type { Sender } from '#core/outbound.ts';
import { readReply } from './read-reply.ts';
import { refuse } from './refuse.ts';

const TIMEOUT_MS = 5000;
const VERDICT = z.object({ success: z.boolean() });

export interface HumanCheckDeps {
  readonly sender: Pick<Sender, 'send'>;
  readonly options: () => Pick<OptionValues, 'TurnstileCheckEnabled' | 'TurnstileSecretKey'>;
  /** Where Turnstile verifies: `https://challenges.cloudflare.com`. */
  readonly turnstileUrl: string;
}

/** Throws unless the service says in time that this answer was given by a human; what it does not say is no answer. */
export type HumanCheck = (answer: string, ip: string) => Promise<void>;

/** Undefined where the service said neither. */
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
 * Turnstile's server side: POST /turnstile/v0/siteverify. Throws `human_check_failed` for a no; for silence, errors and odd
 * answers `human_check_away`.
 */
export const createHumanCheck =
  (deps: HumanCheckDeps): HumanCheck =>
  async (answer, ip) => {
    if (!deps.options().TurnstileCheckEnabled) return;
    const verdict = answer !== '' && (await isHuman(deps, answer, ip));
    if (verdict === undefined) throw refuse('human_check_away');
    if (!verdict) throw refuse('human_check_failed');
  };
