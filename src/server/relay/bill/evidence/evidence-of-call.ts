import { completionTokens, promptTokens, type Usage } from '#core/chat/usage.ts';
import { thinksOutOfSight } from '#core/chat/thinks-out-of-sight.ts';
import { isSameModel, servesNamed } from '#core/evidence/same-model.ts';
import { BYTES_PER_TOKEN, HOLD_TO_FAIR } from '#core/quota/charge.ts';
import { impossibleSides } from '#core/quota/usage-limits.ts';
import type { Held } from '../../stages.ts';
import type { Observation } from './evidence-book.ts';
import { asksForThoughts } from '../hold/asked-thoughts.ts';
import { limitsIfLarge, readsOnItsOwn } from '../limits-of-call.ts';
import { changesPrompts } from '../prompt-changes.ts';

/** Shorter texts have too few tokens for a meaningful ratio. */
const LEAST_TOKENS = { output: 50, prompt: 200 } as const;
/** The same with tools or a schema, for which upstreams add up to some hundred tokens of instructions and markup. */
const LEAST_WITH_TOOLS = { output: 400, prompt: 2000 } as const;
/** Cached text that upstreams put before a prompt unasked, such as their instructions for tools. */
const OWN_CACHED_TOKENS = 1000;

type Answered = Pick<Held, 'live' | 'request' | 'call' | 'createdAtMs'>;

/** The name of the model that was sent to the upstream. */
const askedModel = ({ live, request }: Answered): string =>
  live.destination?.sentAs?.upstreamModel || request.facts.model;

/** Fields of tools and schemas; a body that another thread parsed does not show them, but is long. */
const TOOL_FIELDS = ['tools', 'functions', 'response_format', 'text', 'output_config', 'generationConfig'];

const leastOf = ({ request: { fields } }: Answered): { readonly output: number; readonly prompt: number } => {
  for (const name of TOOL_FIELDS) if ((fields[name] ?? null) !== null) return LEAST_WITH_TOOLS;
  return LEAST_TOKENS;
};

/**
 * Our own token count of an answer's text. Undefined if the answer is short or has other content, or if the upstream
 * may have searched: some upstreams count what they found as part of the answer.
 */
const countedOutput = (answered: Answered, usage: Usage): number | undefined => {
  const { meter } = answered.live;
  if (answered.request.facts.promptTokensMost === undefined) return undefined;
  const { outputTokens, imageOutputTokens, audioOutputTokens } = usage;
  const counted = Math.round(meter.outputBytes / BYTES_PER_TOKEN);
  const isText = imageOutputTokens + audioOutputTokens === 0 && meter.pictures === 0 && outputTokens > 0;
  // Only the upstream knows the number of hidden thoughts.
  const isSeen = !meter.thinks && usage.reasoningTokens === 0;
  return isText && isSeen && meter.finished && counted >= leastOf(answered).output ? counted : undefined;
};

/** Whether all that the upstream read was sent: no stored conversation, nothing that it searched for or fetched. */
const isAllSent = ({ live, request }: Answered): boolean =>
  live.destination !== undefined &&
  request.facts.promptTokensMost !== undefined &&
  !changesPrompts(live.destination.channel) &&
  !readsOnItsOwn(live.destination, request.facts.model);

/** Whether a prompt has no pictures, sound or files. Only then do its two bounds differ by a fixed factor. */
const isTextOnly = ({ inputTokensEstimate, promptTokensMost = Infinity }: Sized): boolean =>
  promptTokensMost <= inputTokensEstimate * HOLD_TO_FAIR;

type Sized = Pick<Answered['request']['facts'], 'inputTokensEstimate' | 'promptTokensMost'>;

/** Our own token count of a prompt, under the same conditions. It does not include what the channel adds. */
const countedPrompt = (answered: Answered, usage: Usage): number | undefined => {
  const { facts } = answered.request;
  if (!isTextOnly(facts) || !isAllSent(answered)) return undefined;
  const counted = Math.round(facts.inputTokensEstimate / HOLD_TO_FAIR);
  const isText = usage.imageInputTokens + usage.audioInputTokens === 0;
  return isText && counted >= leastOf(answered).prompt ? counted : undefined;
};

/** If the reported tokens exceed our count by this factor, part of the answer was not shown. */
const SHOWN_MOST = 1.5;

/**
 * The tokens reported for thoughts although none were requested or shown; undefined if the model may have thought. An
 * upstream may hide an excess there, so channels are compared: honest ones of the same model report none.
 */
const hiddenTokens = ({ live, request }: Answered, usage: Usage): number | undefined => {
  const { meter, destination } = live;
  const { facts, fields, far } = request;
  if (meter.thinks || !meter.finished || far !== undefined || facts.promptTokensMost === undefined)
    return undefined;
  const { effort, upstreamModel = facts.model } = destination?.sentAs ?? {};
  const mayThink =
    effort !== undefined ||
    asksForThoughts(fields) ||
    thinksOutOfSight(facts.model) ||
    (upstreamModel !== facts.model && thinksOutOfSight(upstreamModel));
  if (mayThink) return undefined;
  const shown = Math.max(1, meter.outputBytes / BYTES_PER_TOKEN);
  return usage.outputTokens > shown * SHOWN_MOST ? usage.reasoningTokens : 0;
};

/** What an answered chat says about its upstream's honesty; undefined if the upstream reported no usage. */
export const evidenceOf = (answered: Answered): Observation | undefined => {
  const { live, request, call, createdAtMs } = answered;
  const { reported, namedModel } = live.meter;
  const { destination } = live;
  if (call.operation !== 'chat' || destination === undefined || reported === undefined || reported.estimated)
    return undefined;
  const asked = askedModel(answered);
  const isComparable = servesNamed(request.facts.model, [asked, namedModel]);
  const output = isComparable ? countedOutput(answered, reported) : undefined;
  const prompt = isComparable ? countedPrompt(answered, reported) : undefined;
  const impossible = impossibleSides(reported, limitsIfLarge(answered), live.meter);
  return {
    channelId: destination.channel.id,
    model: request.facts.model,
    atMs: createdAtMs,
    tokens: promptTokens(reported) + completionTokens(reported),
    named: namedModel,
    // An upstream that has its own names, such as deployments, may answer with the name of the model behind one.
    isOther:
      namedModel !== undefined &&
      !isSameModel(asked, namedModel) &&
      !isSameModel(request.facts.model, namedModel),
    output: output === undefined ? undefined : { reported: reported.outputTokens, counted: output },
    prompt: prompt === undefined ? undefined : { reported: promptTokens(reported), counted: prompt },
    hiddenTokens: isComparable ? hiddenTokens(answered, reported) : undefined,
    firstTokenMs: request.facts.stream ? live.firstByteMs : undefined,
    cacheTokens: reported.cacheReadTokens,
    // The estimate is far above any real count, so a larger cache read is implausible.
    isCacheOdd:
      reported.cacheReadTokens > request.facts.inputTokensEstimate + OWN_CACHED_TOKENS && isAllSent(answered),
    isImpossible: impossible.prompt || impossible.answer,
  };
};

/** The same observation for the log details that only admins see; undefined if there is nothing to compare. */
export const evidenceFields = (answered: Answered): Readonly<Record<string, unknown>> | undefined => {
  const { reported, namedModel } = answered.live.meter;
  if (answered.call.operation !== 'chat' || reported === undefined || reported.estimated) return undefined;
  const output = countedOutput(answered, reported);
  const prompt = countedPrompt(answered, reported);
  if (namedModel === undefined && output === undefined && prompt === undefined) return undefined;
  const fields: Record<string, unknown> = {};
  if (namedModel !== undefined && namedModel !== askedModel(answered)) fields['model'] = namedModel;
  if (output !== undefined) fields['output'] = output;
  if (prompt !== undefined) fields['prompt'] = prompt;
  return fields;
};
