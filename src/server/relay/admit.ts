import { admitModel } from '#core/token/admission.ts';
import { groupsOf } from '#core/token/groups.ts';
import { refuseWord, type WordCheck } from '#core/words/check-words.ts';
import { countCall } from './model-rate.ts';
import { rateHeaders } from './rate-headers.ts';
import type { RelayDeps } from './ports.ts';
import { known, type Running } from './running.ts';
import { unservedModel } from './usable-models.ts';

/** Throws unless the caller may ask for this model in this group now; settles which group pays. */
export const admit = async (
  deps: Pick<RelayDeps, 'modelRates' | 'clock' | 'log'> & { readonly checkWords: WordCheck },
  running: Running,
  chosenGroup: string,
): Promise<void> => {
  const { user, token, channelId } = known(running.caller, 'authenticate');
  const { facts } = known(running.asked, 'read');
  const { routing } = running;
  // First of all: calls that fail at what follows count, too.
  const rate = await countCall(deps, routing.options, { user, token });
  running.ratePlace = rate?.place;
  if (rate !== undefined) running.rateHeaders = rateHeaders(rate, running.call.dialect, deps.clock.now());
  if (token !== undefined && channelId === undefined) {
    admitModel(token, facts.model);
    if (facts.draws !== undefined) admitModel(token, facts.draws.model);
  }
  const groups = groupsOf(routing.options, user.group, token?.group ?? chosenGroup);
  running.group = channelId === undefined ? payingGroup(running, groups, facts.model) : (groups[0] ?? '');
  checkPrompt(deps, running);
};

/** Throws where the call has a word it may not have. */
export const checkPrompt = (
  { checkWords, log }: Pick<RelayDeps, 'log'> & { readonly checkWords: WordCheck },
  running: Running,
): void => {
  const { user } = known(running.caller, 'authenticate');
  const { requestId } = running.call;
  const { told, far } = known(running.asked, 'read');
  const { options } = running.routing;
  const report = (word: string): void =>
    log.warn('a prompt has a sensitive word', { word, user: user.id, requestId });
  if (far === undefined) checkWords(options, told, report);
  else if (far.word !== undefined) refuseWord(options, far.word, report);
};

/** The first group with a channel for the model. It stays the same through every attempt, and so does the price. */
const payingGroup = ({ routing, caller }: Running, groups: readonly string[], model: string): string => {
  const only = groups.length === 1 ? groups[0] : undefined;
  const group = only ?? groups.find((name) => routing.tiers.get(name)?.has(model) === true);
  if (group !== undefined && routing.tiers.get(group)?.has(model) === true) return group;
  throw unservedModel(routing, groups, known(caller, 'authenticate'), model);
};
