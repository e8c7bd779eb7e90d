import { isAdmin } from '#contract/may.ts';
import { tokenStatus, userStatus } from '#contract/codes.ts';
import { AppError } from '../error.ts';
import type { User } from '../user/user.ts';
import type { IpList } from './ip-list.ts';
import { invalidKey } from './relay-key.ts';
import type { Token } from './token.ts';

/** Throws unless the token may be used from this address at this moment. The errors are safe to show to the caller. */
export const admitToken = (token: Token, owner: User, ips: IpList, ip: string, nowMs: number): void => {
  if (token.status === tokenStatus.exhausted) {
    throw new AppError('insufficient_quota', 'insufficient token quota', {
      reason: 'insufficient_token_quota',
    });
  }
  if (token.status !== tokenStatus.enabled) throw invalidKey();
  if (token.expiresAtMs !== null && token.expiresAtMs <= nowMs) throw invalidKey();
  if (owner.status !== userStatus.enabled || owner.deletedAtMs !== null) {
    throw new AppError('forbidden', 'user banned', { reason: 'user_banned' });
  }
  if (!ips(ip)) {
    throw new AppError('forbidden', 'your address is not on the list of this token', {
      reason: 'ip_forbidden',
    });
  }
};

/** How many characters of a caller's model name an error repeats. */
export const NAME_TOLD_MAX = 100;

/** Throws unless the token allows the model: the one that the caller's name stands for on this site. */
export const admitModel = (token: Token, model: string): void => {
  if (token.modelLimitsEnabled && !token.modelLimits.includes(model)) {
    throw new AppError('forbidden', `this token may not use model ${model.slice(0, NAME_TOLD_MAX)}`, {
      reason: 'model_forbidden',
      param: 'model',
    });
  }
};

/** Throws unless the caller may choose the channel, as administrators may. */
export const admitChannelChoice = (owner: User, channelId: number | undefined): void => {
  if (channelId !== undefined && !isAdmin(owner)) {
    throw new AppError('forbidden', 'regular users cannot specify channels', {
      reason: 'channel_forbidden',
    });
  }
};
