import { aliasedModel, wholeAliases } from '#core/channel/aliased-model.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { AppError } from '#core/error.ts';
import { translatedRefusal } from '#core/translated-refusal.ts';
import { nearNames } from '#core/near-names.ts';
import { isPayable } from '#core/task/task-price.ts';
import { NAME_TOLD_MAX } from '#core/token/admission.ts';
import { ownChoices } from '#core/user/own-choices.ts';
import type { Caller } from '../request/request.ts';

type Payer = Pick<Caller, 'user' | 'token'>;

/**
 * The models that these groups can call: served, priced (or allowed without a price), and on the token's list if it has
 * one. Includes aliases without wildcards. Sorted by name.
 */
export const usableModels = (routing: Routing, groups: readonly string[], caller: Payer): string[] => {
  const models = new Set<string>();
  for (const group of groups) for (const name of routing.tiers.get(group)?.keys() ?? []) models.add(name);
  const { token } = caller;
  const limits = token?.modelLimitsEnabled === true ? new Set(token.modelLimits) : undefined;
  const { acceptsUnpriced } = ownChoices(caller.user);
  const usable = new Set(
    [...models].filter(
      (name) => (limits === undefined || limits.has(name)) && (acceptsUnpriced || isPayable(routing, name)),
    ),
  );
  return [...usable]
    .filter((name) => aliasedModel(routing, name) === name)
    .concat(wholeAliases(routing).filter((name) => usable.has(aliasedModel(routing, name))))
    .toSorted();
};

/** Whether a channel of these groups lists the model, even if the channel is disabled or broken. */
export const isKnownModel = (
  { byModel, channels, bad }: Routing,
  groups: readonly string[],
  model: string,
): boolean =>
  (byModel.get(model) ?? []).some((id) => channels.get(id)?.groups.some((group) => groups.includes(group))) ||
  bad.some(({ models, groups: of }) => models.includes(model) && of.some((group) => groups.includes(group)));

/** 404: the caller may not know more. Suggests similar names among its own models. */
export const unknownModel = (
  routing: Routing,
  groups: readonly string[],
  caller: Payer,
  model: string,
): AppError => {
  const near = nearNames(model, usableModels(routing, groups, caller));
  const meant =
    near.length === 0 ? '' : { key: 'relay_near_models' as const, values: { models: near.join(', ') } };
  return translatedRefusal(
    'not_found',
    'relay_no_model',
    { model: model.slice(0, NAME_TOLD_MAX), groups: groups.join(', '), near: meant },
    { param: 'model', reason: 'model_not_found' },
  );
};

/** 503 for a model the caller may know that nobody serves at the moment. */
export const noChannel = (groups: readonly string[], model: string): AppError =>
  translatedRefusal('no_channel', 'relay_no_channel', {
    model: model.slice(0, NAME_TOLD_MAX),
    groups: groups.join(', '),
  });

/** Why nobody serves the model in these groups: it is unknown there, or all its channels are down. */
export const unservedModel = (
  routing: Routing,
  groups: readonly string[],
  caller: Payer,
  model: string,
): AppError =>
  isKnownModel(routing, groups, model)
    ? noChannel(groups, model)
    : unknownModel(routing, groups, caller, model);
