import { randomUUID } from 'node:crypto';
import type { Channel } from '#core/channel/channel.ts';
import type { Override } from '#core/channel/overrides/override.ts';
import { overriddenHeaders } from '#core/channel/overrides/override-headers.ts';
import { AppError, asUnsent } from '#core/error.ts';
import { withMembers } from '#core/json/members.ts';
import { sentTerms, type ServiceTerms, withoutTerms } from '#core/quota/service-terms.ts';
import type { OutboundRequest } from '#core/outbound/outbound.ts';
import type { Fields } from '#core/json/fields.ts';
import type { IfUnsaid } from '../../dialects/dialect.ts';
import { type Form, type LoadedFile, type SentForm, sentForm } from '../../dialects/form/form.ts';
import { type Upstream, type UpstreamCall, writtenFor } from '../../dialects/upstream.ts';
import { dropsLimit, withOverrides } from './overridden.ts';
import type { LateForm, WrittenBody } from './request.ts';
import { isPassedThrough, isRepeated, type Source, translated } from './choose-format.ts';
import type { SentAs } from '../destination.ts';

/** Where a request goes, and in which format. */
export interface Target extends Pick<SentAs, 'upstreamModel' | 'format'> {
  readonly channel: Channel;
  readonly upstream: Upstream;
  /** The channel's rules that apply to this call. */
  readonly overrides?: readonly Override[] | undefined;
  /** The files of a form, if the upstream wants them inside JSON. */
  readonly files?: readonly LoadedFile[] | undefined;
  /** Called when there is a connection. */
  readonly connected?: () => void;
  /** The call may be made twice. */
  readonly mayRepeat?: boolean;
}

/** If more fields than this changed, the body was converted, so little of the caller's text could be copied. */
const MOST_SET = 4;

/** A finished request, and the reasoning effort in it. */
export interface Outgoing {
  readonly request: OutboundRequest;
  readonly effort: string | undefined;
  /** The tier, speed and place it asks for. */
  readonly terms: ServiceTerms | undefined;
  /** Messages and tools have other places than in the caller's body. */
  readonly movesPlaces: boolean;
}

/**
 * The request for this channel. An unchanged body goes out byte for byte; otherwise only the changed fields are set and
 * the rest is written as it was read.
 * @param far the body, if it was written in another thread
 */
export const outgoing = (
  source: Source & { readonly lateForm: LateForm | undefined },
  target: Target & Pick<SentAs, 'patience'>,
  far?: WrittenBody,
): Outgoing => {
  const { request, wire, lateForm } = source;
  const { channel, upstream, patience, connected, mayRepeat = false } = target;
  const { facts, form, bytes } = request;
  const call = callOf(source, target);
  const sent = far === undefined ? sentFields(source, target, call) : undefined;
  const address = upstream.address(channel, call);
  // A provider that reads JSON already has the files.
  const asForm =
    form !== undefined && sent !== undefined && Object.hasOwn(sent, '$files')
      ? formOut(target, form, request.body, lateForm)
      : undefined;
  const asBytes = wire.answersInBytes === true && !facts.stream;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: facts.stream ? 'text/event-stream' : 'application/json',
  };
  for (const name in address.headers) headers[name] = address.headers[name] ?? '';
  if (asBytes) headers['accept'] = '*/*';
  if (asForm !== undefined) headers['content-type'] = asForm.contentType;
  const out: OutboundRequest = {
    method: 'POST',
    url: address.url,
    headers: headersOut(source, target, headers),
    body: asForm?.body ?? (sent === undefined ? (far?.body ?? bytes) : written(source, sent)),
    headMs: patience.headMs,
    idleMs: patience.idleMs,
    // Audio is passed on as it arrives, like a stream.
    wholeMs: facts.stream || asBytes ? Infinity : patience.wholeMs,
    mayRepeat: mayRepeat && asForm === undefined,
    ...(connected !== undefined && { connected }),
  };
  if (sent === undefined)
    return { request: out, effort: far?.effort, terms: far?.terms, movesPlaces: far?.movesPlaces === true };
  return {
    request: out,
    effort: effortIn(source, sent),
    terms: sentTerms(sent),
    movesPlaces: movesPlaces(source, target, sent),
  };
};

/** Lists whose items errors name by position. */
const LISTS = ['messages', 'input', 'contents', 'tools'] as const;

/** Whether the format was converted, or the number of messages differs from the caller's. */
const movesPlaces = ({ request: { body }, wire }: Source, { format }: Target, sent: Fields): boolean =>
  format.name !== wire.name ||
  (sent !== body && LISTS.some((name) => lengthOf(sent[name]) !== lengthOf(body[name])));

const lengthOf = (list: unknown): number => (Array.isArray(list) ? list.length : 0);

const callOf = (source: Source, { channel, format, upstreamModel }: Target): UpstreamCall => ({
  operation: source.call.operation,
  model: upstreamModel,
  stream: source.request.facts.stream,
  dialect: format.name,
  isRepeated: isRepeated(source, channel, format),
  options: source.routing.options,
  callerHeaders: source.call.headers,
});

const sentFields = (source: Source, target: Target, call: UpstreamCall): Fields => {
  const { channel, upstream, format } = target;
  const { stripsTerms } = source;
  if (isPassedThrough(source, channel, format)) {
    const whole = withModel(source, target);
    const passed = limited(source, target, stripsTerms ? withoutTerms(whole) : whole, 'set');
    return upstream.hasOwnEnvelope === true ? writtenFor(upstream, passed, call, channel) : passed;
  }
  const asked = isRepeated(source, channel, format) ? repeated(source, target) : converted(source, target);
  const sent = writtenOrUnsent(upstream, stripsTerms ? withoutTerms(asked) : asked, call, channel);
  const overridden = withOverrides(target, sent);
  // Applied last, so that neither an override nor a model suffix asks for a longer answer than can be paid.
  return limited(source, target, overridden, overridden !== sent && replacesHolder(target) ? 'set' : 'leave');
};

/** What a body that is known only now lacks for this kind of upstream, another kind may not lack. */
const writtenOrUnsent: typeof writtenFor = (upstream, body, call, channel) => {
  try {
    return writtenFor(upstream, body, call, channel);
  } catch (thrown) {
    throw thrown instanceof AppError && call.operation !== 'chat' ? asUnsent(thrown) : thrown;
  }
};

const replacesHolder = ({ channel, overrides = [] }: Target): boolean =>
  dropsLimit(channel.paramOverride, overrides) === 'with-holder';

const headersOut = ({ call }: Source, { overrides = [] }: Target, headers: Record<string, string>) =>
  overrides.length === 0 ? headers : overriddenHeaders(headers, overrides, call.headers);

/** Limits the body to an answer that can be paid. */
const limited = ({ outputLimit }: Source, { format }: Target, body: Fields, ifUnsaid: IfUnsaid): Fields =>
  outputLimit === undefined ? body : (format.limitOutput?.(body, outputLimit, ifUnsaid) ?? body);

const effortIn = ({ call }: Source, sent: Fields): string | undefined =>
  call.operation === 'chat' ? sentEffort(sent) : undefined;

/** The body alone, for requests that are not forms. */
export const bodyOut = (source: Source, target: Target): WrittenBody => {
  const sent = sentFields(source, target, callOf(source, target));
  const body = written(source, sent);
  return {
    body: body === source.request.bytes ? undefined : body,
    effort: effortIn(source, sent),
    terms: sentTerms(sent),
    movesPlaces: movesPlaces(source, target, sent),
  };
};

/** Builds the form to send, with the upstream's model name and the operator's overrides: texts, numbers, booleans. */
const formOut = (target: Target, form: Form, body: Fields, late: LateForm | undefined): SentForm => {
  const values: Record<string, string | undefined> = {};
  const sent = withOverrides(target, body);
  if (sent !== body) {
    for (const [name, value] of Object.entries(sent))
      if (value !== body[name] && PLAIN.has(typeof value)) values[name] = String(value);
    for (const name of Object.keys(form.fields)) if (sent[name] === undefined) values[name] = undefined;
  }
  return sentForm(form, { ...values, model: target.upstreamModel }, randomUUID(), late?.whole);
};

const PLAIN: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

/** The caller's own body with the channel's name for the model. */
const withModel = ({ request }: Source, { upstreamModel }: Target): Fields => {
  const { body, modelInPath } = request;
  return modelInPath || upstreamModel === body['model'] ? body : { ...body, model: upstreamModel };
};

/** The caller's own body with the fields that must differ for this channel. */
const repeated = (source: Source, target: Target): Fields => {
  const { facts } = source.request;
  let sent = withModel(source, target);
  if (target.files !== undefined) sent = { ...sent, $files: target.files };
  if (facts.stream && !facts.wantsStreamUsage) sent = source.wire.askForUsage?.(sent) ?? sent;
  // Limited before the provider writes the body, because some models take the limit under another name.
  sent = limited(source, target, sent, 'set');
  const { systemPrompt } = target.channel.setting;
  return systemPrompt === undefined ? sent : withSystemPrompt(sent, systemPrompt);
};

/** The request in the upstream's format. Throws `invalid_request` for what that format cannot express. */
const converted = (source: Source, { channel, format }: Target): Fields => {
  const translation = translated(source, channel, format);
  if (translation instanceof AppError) throw translation;
  return source.request.facts.stream ? (format.askForUsage?.(translation) ?? translation) : translation;
};

/**
 * Serialises the body so that all fields not set for this channel stay as the caller wrote them: spaces, escapes, long
 * numbers.
 */
const written = ({ request }: Source, sent: Fields): Buffer | string => {
  const { bytes, body, changed } = request;
  if (changed) return serialise(sent);
  if (sent === body) return bytes;
  const names = Object.keys(sent);
  const isMore = Object.keys(body).every((name) => sent[name] !== undefined);
  const set = names.filter((name) => sent[name] !== body[name]);
  return isMore && set.length <= MOST_SET
    ? withMembers(bytes, Object.fromEntries(set.map((name) => [name, sent[name]])))
    : serialise(sent);
};

const serialise = (body: Fields): string => {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new AppError('invalid_request', 'the body is nested too deeply', { cause });
  }
};

/** Puts the operator's system prompt first in chats that have none. */
const withSystemPrompt = (body: Fields, prompt: string): Fields => {
  const { messages } = body;
  if (!Array.isArray(messages)) return body;
  const first: unknown = messages[0];
  const role = typeof first === 'object' && first !== null && 'role' in first ? first.role : undefined;
  if (role === 'system' || role === 'developer') return body;
  return { ...body, messages: [{ role: 'system', content: prompt }, ...(messages as unknown[])] };
};

/** The field of the reasoning effort in each format: chat, Responses, Messages, Gemini, and Claude on Bedrock. */
const PLACES = [
  ['reasoning_effort'],
  ['reasoning', 'effort'],
  ['output_config', 'effort'],
  ['generationConfig', 'thinkingConfig', 'thinkingLevel'],
  ['additionalModelRequestFields', 'output_config', 'effort'],
] as const;
/** Longer than any valid value. */
const WORD_MAX = 20;

/**
 * The reasoning effort in the body sent to the upstream, whether it comes from the caller, a model suffix or an
 * override.
 */
export const sentEffort = (body: Fields): string | undefined => {
  for (const place of PLACES) {
    const word = body[place[0]] === undefined ? undefined : at(body, place);
    if (typeof word === 'string' && word.length <= WORD_MAX) return word.toLowerCase();
  }
  return undefined;
};

const at = (body: unknown, place: readonly string[]): unknown => {
  let found = body;
  for (const name of place)
    found = typeof found === 'object' && found !== null ? (found as Fields)[name] : undefined;
  return found;
};
