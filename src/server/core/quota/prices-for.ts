import { ownChoices } from '../user/own-choices.ts';
import type { User } from '../user/user.ts';
import type { PriceSources } from './price.ts';

/** The prices of somebody: what has none has that of self-use mode, for those who said that they pay it. */
export const pricesFor = (sources: PriceSources, user: Pick<User, 'setting'>): PriceSources =>
  ownChoices(user).acceptsUnpriced
    ? { options: { ...sources.options, SelfUseModeEnabled: true }, catalogue: sources.catalogue }
    : sources;
