import type { Channel } from '#core/channel/channel.ts';
import type { AppError } from '#core/error.ts';
import { ACCOUNT_HEADERS, accountObjectRefused } from '../dialects/account-objects.ts';
import { withKeptTokens } from '../dialects/openai-responses/facts.ts';
import { unpricedWorkRefused } from '../dialects/unpriced-work.ts';
import { admitModel } from '#core/token/admission.ts';
import { groupsOf } from '#core/token/groups.ts';
import { refuseWord } from '#core/words/check-words.ts';
import { raisedByOverrides } from './bill/hold/raised-by-overrides.ts';
import { canRepeat } from './request/can-repeat.ts';
import { decided } from './far/far-request.ts';
import { findKept } from './kept/find-kept.ts';
import { assertOwnContainers } from './kept/own-containers.ts';
import { mustStripTerms } from './caller/service-terms-of.ts';
import { countCall } from './caller/model-rate.ts';
import type { Parts } from './parts.ts';
import { rateHeaders } from './caller/reply-headers.ts';
import { readFormRequest } from './request/read-request.ts';
import type { CallerRequest, LateForm } from './request/request.ts';
import { refusalOf } from './request/choose-format.ts';
import type { Admitted, Asked } from './stages.ts';
import { unservedModel } from './caller/usable-models.ts';

export type AdmitDeps = Pick<
  Parts,
  'modelRates' | 'clock' | 'log' | 'checkWords' | 'upstreamOf' | 'gaps' | 'kept' | 'affinity' | 'availability'
>;

/**
 * Decides which group pays. Throws unless the caller may use this model and prompt, and some channel can take the
 * request.
 */
export const admit = async (deps: AdmitDeps, asked: Asked): Promise<Admitted> => {
  const { caller, request, routing, live, call } = asked;
  const { user, token, channelId } = caller;
  // Counted before the checks below, so that refused calls count too.
  const nowMs = deps.clock.now();
  const counted = countCall(deps, routing.options, caller, nowMs);
  const rate = counted instanceof Promise ? await counted : counted;
  live.ratePlace = rate?.place;
  if (rate !== undefined) live.outlet.rateHeaders = rateHeaders(rate, call.dialect, nowMs);
  const { model, draws } = request.facts;
  if (token !== undefined && channelId === undefined) {
    admitModel(token, model);
    if (draws !== undefined) admitModel(token, draws.model);
  }
  const groups = groupsOf(routing.options, user.group, token?.group ?? request.group);
  const group = channelId === undefined ? payingGroup(deps, asked, groups) : (groups[0] ?? '');
  const stripsTerms = mustStripTerms(routing.options, group, request.facts.terms);
  if (namesObjects(request)) await checkObjects(deps, asked, request);
  if (call.dialect === 'anthropic-messages') checkAccountHeaders(asked);
  checkPrompt(deps, asked, request);
  const lateForm = followForm(deps, asked);
  const omitting = decided(request, () => mustOmitTools(deps, asked, group));
  const omitsTools = typeof omitting === 'boolean' ? omitting : await omitting;
  const finding = findKept(deps, asked);
  const { continuation, contextTokens } = (finding === undefined ? undefined : await finding) ?? {};
  const isLengthKnown = request.facts.continues === true && contextTokens !== undefined;
  const admitted: Admitted = {
    ...asked,
    ...(isLengthKnown && { request: { ...request, facts: withKeptTokens(request.facts, contextTokens) } }),
    group,
    omitsTools,
    stripsTerms,
    continuation,
    session: deps.affinity.sessionOf(asked, group),
    lateForm,
    canRepeat: canRepeat(asked, continuation),
  };
  // An override of a channel may ask for work that cannot be undone.
  const acts = call.operation === 'chat' && admitted.canRepeat && raisedByOverrides(admitted).acts;
  return acts ? { ...admitted, canRepeat: false } : admitted;
};

/** Most requests name none, and need not wait. */
const namesObjects = ({
  facts: { accountObject, containers, unpricedWork },
}: Pick<CallerRequest, 'facts'>): boolean =>
  accountObject !== undefined || containers !== undefined || unpricedWork !== undefined;

/**
 * Throws if the request names an object in the upstream's account that is not the caller's own, or asks for work that
 * has no price, unless the operator allows it.
 */
const checkObjects = async (
  deps: Pick<AdmitDeps, 'kept' | 'clock'>,
  { routing, caller }: Asked,
  { facts }: CallerRequest,
): Promise<void> => {
  const { accountObject, containers, unpricedWork } = facts;
  const isShared = routing.options['global.account_objects_enabled'];
  if (accountObject !== undefined && !isShared) throw accountObjectRefused(accountObject);
  if (containers !== undefined && !isShared) await assertOwnContainers(deps, caller.user.id, containers);
  if (unpricedWork !== undefined && !routing.options['global.unpriced_work_enabled'])
    throw unpricedWorkRefused(unpricedWork);
};

/** Throws if the request's head says whom the upstream bills, unless the operator allows it. */
const checkAccountHeaders = ({ call, routing }: Asked): void => {
  const named = ACCOUNT_HEADERS.find((name) => call.headers[name] !== undefined);
  if (named !== undefined && !routing.options['global.account_objects_enabled'])
    throw accountObjectRefused(named);
};

/** Throws if the prompt has a sensitive word. */
const checkPrompt = (
  { checkWords, log }: Pick<AdmitDeps, 'checkWords' | 'log'>,
  { caller, call, routing }: Asked,
  { fields, far }: CallerRequest,
): void => {
  const report = (word: string): void =>
    log.warn('a prompt has a sensitive word', { word, user: caller.user.id, requestId: call.requestId });
  if (far === undefined) checkWords(routing.options, fields, report);
  else if (far.word !== undefined) refuseWord(routing.options, far.word, report);
};

/** The first group with a channel for the model. Every retry stays in this group, so the price cannot change. */
const payingGroup = (
  { availability }: Pick<AdmitDeps, 'availability'>,
  { routing, caller, request, createdAtMs: atMs }: Asked,
  groups: readonly string[],
): string => {
  const { model } = request.facts;
  const only = groups.length === 1 ? groups[0] : undefined;
  const group = only ?? groups.find((name) => routing.tiers.get(name)?.has(model) === true);
  if (group !== undefined && routing.tiers.get(group)?.has(model) === true) return group;
  const failure = unservedModel(routing, groups, caller, model);
  // The site offers this model but no channel can serve it, so the failure counts against the model's availability.
  if (failure.code === 'no_channel')
    availability.note({
      atMs,
      userId: caller.user.id,
      group: groups[0] ?? '',
      model,
      failure,
      firstTokenMs: undefined,
    });
  throw failure;
};

/**
 * For a form still being uploaded: checks the fields that come after its file once they have arrived. The end of the
 * form is held back until then, so that no upstream starts work on an unchecked request.
 */
const followForm = (deps: AdmitDeps, asked: Asked): LateForm | undefined => {
  const rest = asked.request.form?.whole;
  if (rest === undefined) return undefined;
  const whole = rest.then(async (form) => {
    const request = readFormRequest(asked.call, asked.wire, form);
    await checkObjects(deps, asked, request);
    checkPrompt(deps, asked, request);
    late.request = request;
  });
  const late: LateForm = { whole, request: undefined };
  // The sender awaits it and reports the error. Once the call is over nobody does, so the rejection is ignored here.
  whole.catch(() => undefined);
  return late;
};

/**
 * Throws `invalid_request`, before anything is held, if no channel for the model can express the call in its own
 * format. If only optional tools stand in the way, they are left out instead.
 * @returns whether tools are left out
 */
const mustOmitTools = (deps: AdmitDeps, asked: Asked, group: string): boolean => {
  const refusal = refusalOfAll(deps, asked, { group, omitsTools: false });
  if (refusal === undefined) return false;
  const isOfTools = refusal.reason === 'unsupported_tool' || refusal.param?.startsWith('tools.') === true;
  if (isOfTools && refusalOfAll(deps, asked, { group, omitsTools: true }) === undefined) return true;
  if (asked.caller.channelId === undefined) throw refusal;
  return false;
};

/** Why no channel can take the request; undefined if one can. */
const refusalOfAll = (
  deps: AdmitDeps,
  asked: Asked,
  { group, omitsTools }: Pick<Admitted, 'group' | 'omitsTools'>,
): AppError | undefined => {
  // Every format can express a request with or without a service tier, so the tier does not matter here.
  const { call, wire, routing, request, translations, live, startedMs } = asked;
  const source = {
    call,
    wire,
    routing,
    request,
    translations,
    live,
    startedMs,
    omitsTools,
    stripsTerms: false,
  };
  let refusal: AppError | undefined;
  // Most often the first channel can take the request, and there may be thousands of channels.
  for (const { channels } of tiersOf(asked, group))
    for (const channel of channels) {
      const upstream = deps.upstreamOf(channel.type);
      if (upstream?.offers[call.operation] === undefined) continue;
      const because = refusalOf(deps, source, upstream, channel);
      if (because === undefined) return undefined;
      refusal ??= because;
    }
  return refusal;
};

const tiersOf = (
  { routing, request, caller }: Asked,
  group: string,
): readonly { readonly channels: readonly Channel[] }[] => {
  if (caller.channelId === undefined) return routing.tiers.get(group)?.get(request.facts.model) ?? NO_TIERS;
  const pinned = routing.channels.get(caller.channelId);
  return pinned === undefined ? NO_TIERS : [{ channels: [pinned] }];
};

const NO_TIERS: readonly never[] = [];
