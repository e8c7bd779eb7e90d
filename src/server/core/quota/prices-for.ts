import { ownChoices } from '../user/own-choices.ts';
import type { User } from '../user/user.ts';
import type { PriceSources } from './price.ts';

/** A user's prices: models without a price get that of self-use mode if the user agreed to pay it. */
export const pricesFor = (sources: PriceSources, user: Pick<User, 'setting'>): PriceSources =>
  ownChoices(user).acceptsUnpriced
    ? { options: { ...sources.options, SelfUseModeEnabled: true }, catalogue: sources.catalogue }
    : sources;
