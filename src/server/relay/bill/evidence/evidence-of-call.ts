import { completionTokens, promptTokens, type Usage } from '#core/chat/usage.ts';
import { isSameModel } from '#core/evidence/same-model.ts';
import { BYTES_PER_TOKEN, HOLD_TO_FAIR } from '#core/quota/charge.ts';
import { impossibleSides } from '#core/quota/usage-limits.ts';
import type { Held } from '../../stages.ts';
import type { Observation } from './evidence-book.ts';
import { limitsIfLarge } from '../limits-of-call.ts';
import { changesPrompts } from '../prompt-changes.ts';

/** Shorter texts have too few tokens for a meaningful ratio. */
const LEAST_OUTPUT_TOKENS = 50;
const LEAST_PROMPT_TOKENS = 200;

type Answered = Pick<Held, 'live' | 'request' | 'call' | 'createdAtMs'>;

/** The name of the model that was sent to the upstream. */
const askedModel = ({ live, request }: Answered): string =>
  live.trial?.sentAs?.upstreamModel || request.facts.model;

/** Our own token count of an answer's text; undefined if the answer has other content, or too little text. */
const countedOutput = ({ live }: Answered, usage: Usage): number | undefined => {
  const { meter } = live;
  const { outputTokens, imageOutputTokens, audioOutputTokens } = usage;
  const counted = Math.round(meter.outputBytes / BYTES_PER_TOKEN);
  const isText = imageOutputTokens + audioOutputTokens === 0 && meter.pictures === 0 && outputTokens > 0;
  // Only the upstream knows the number of hidden thoughts.
  const isSeen = !meter.thinks && usage.reasoningTokens === 0;
  return isText && isSeen && meter.finished && counted >= LEAST_OUTPUT_TOKENS ? counted : undefined;
};

/** Our own token count of a prompt, under the same conditions. What the channel changes of it was not counted. */
const countedPrompt = ({ live, request }: Answered, usage: Usage): number | undefined => {
  if (live.trial !== undefined && changesPrompts(live.trial.channel)) return undefined;
  const counted = Math.round(request.facts.inputTokensEstimate / HOLD_TO_FAIR);
  const isText = usage.imageInputTokens + usage.audioInputTokens === 0;
  return isText && counted >= LEAST_PROMPT_TOKENS ? counted : undefined;
};

/** What an answered chat says about its upstream's honesty; undefined if the upstream reported no usage. */
export const evidenceOf = (answered: Answered): Observation | undefined => {
  const { live, request, call, createdAtMs } = answered;
  const { reported, namedModel } = live.meter;
  const { trial } = live;
  if (call.operation !== 'chat' || trial === undefined || reported === undefined || reported.estimated)
    return undefined;
  const asked = askedModel(answered);
  const output = countedOutput(answered, reported);
  const prompt = countedPrompt(answered, reported);
  const impossible = impossibleSides(reported, limitsIfLarge(answered), live.meter);
  return {
    channelId: trial.channel.id,
    model: request.facts.model,
    atMs: createdAtMs,
    tokens: promptTokens(reported) + completionTokens(reported),
    named: namedModel,
    // An upstream that has its own names, such as deployments, may answer with the name of the model behind one.
    isOther:
      namedModel !== undefined && ![asked, request.facts.model].some((name) => isSameModel(name, namedModel)),
    output: output === undefined ? undefined : { reported: reported.outputTokens, counted: output },
    prompt: prompt === undefined ? undefined : { reported: promptTokens(reported), counted: prompt },
    firstTokenMs: request.facts.stream ? live.firstByteMs : undefined,
    cacheTokens: reported.cacheReadTokens,
    // The estimate is far above any real count, so a larger cache read is implausible.
    isCacheOdd: reported.cacheReadTokens > Math.max(request.facts.inputTokensEstimate, LEAST_PROMPT_TOKENS),
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
