import { randomUUID } from 'node:crypto';
import type { Channel } from '#core/channel/channel.ts';
import type { Patience } from '#core/channel/patience.ts';
import { AppError } from '#core/error.ts';
import { withMembers } from '#core/json-members.ts';
import type { OutboundRequest } from '#core/outbound.ts';
import { type Form, type SentForm, sentForm } from '../dialects/form.ts';
import type { Upstream, UpstreamCall } from './ports.ts';
import { isPassedThrough, isRepeated } from './format.ts';
import { type Asking, known, type Running } from './running.ts';
import { sentEffort } from './sent-effort.ts';
import { writtenRequest } from './written-request.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A request that another format's writer made has little of the caller's. */
const MOST_SET = 4;

/**
 * The request as it goes to this channel. The caller's bytes go out untouched where nothing changes; else the fields
 * that change are set and everything else is written again as it was read.
 */
export const outgoing = (
  running: Running,
  channel: Channel,
  upstream: Upstream,
  { headMs, idleMs, wholeMs }: Patience,
  far?: SentBody,
): OutboundRequest => {
  const { facts, form, bytes } = known(running.asked, 'read');
  const call = callOf(running, channel);
  // What is read in another thread is written there, too.
  const sent = far === undefined ? sentFields(running, channel, upstream, call) : undefined;
  running.effort = sent === undefined ? far?.effort : effortIn(running, sent);
  const address = upstream.address(channel, call);
  // A provider that reads JSON instead has taken the files.
  const asForm =
    form !== undefined && sent !== undefined && Object.hasOwn(sent, '$files')
      ? formOut(running, form, channel)
      : undefined;
  const asBytes = running.wire.answersInBytes === true && !facts.stream;
  return {
    method: 'POST',
    url: address.url,
    headers: {
      'content-type': 'application/json',
      accept: facts.stream ? 'text/event-stream' : 'application/json',
      ...address.headers,
      ...(asBytes && { accept: '*/*' }),
      ...(asForm !== undefined && { 'content-type': asForm.contentType }),
    },
    body: asForm?.body ?? (sent === undefined ? (far?.body ?? bytes) : written(running, sent)),
    headMs,
    idleMs,
    // A sound is given away as it comes, like a stream.
    wholeMs: facts.stream || asBytes ? Infinity : wholeMs,
  };
};

const callOf = (running: Asking, channel: Channel): UpstreamCall => ({
  operation: running.call.operation,
  model: running.upstreamModel,
  stream: known(running.asked, 'read').facts.stream,
  dialect: running.format.name,
  isRepeated: isRepeated(running, channel, running.format),
  options: known(running.routing, 'begin').options,
  callerHeaders: running.call.headers,
});

const sentFields = (running: Asking, channel: Channel, upstream: Upstream, call: UpstreamCall): Fields => {
  if (isPassedThrough(running, channel, running.format)) {
    const passed = withModel(running);
    return upstream.hasOwnEnvelope === true && upstream.adjust !== undefined
      ? upstream.adjust(passed, call, channel)
      : passed;
  }
  const asked = isRepeated(running, channel, running.format)
    ? repeated(running, channel)
    : converted(running, channel);
  const sent = upstream.adjust === undefined ? asked : upstream.adjust(asked, call, channel);
  return Object.keys(channel.paramOverride).length > 0 ? { ...sent, ...channel.paramOverride } : sent;
};

/** A body that was written in another thread. */
export interface SentBody {
  /** Undefined where it goes out as it came. */
  readonly body: Buffer | string | undefined;
  readonly effort: string | undefined;
}

const effortIn = ({ call }: Asking, sent: Fields): string | undefined =>
  call.operation === 'chat' ? sentEffort(sent) : undefined;

/** The body alone, which is no form. */
export const bodyOut = (asking: Asking, channel: Channel, upstream: Upstream): SentBody => {
  const sent = sentFields(asking, channel, upstream, callOf(asking, channel));
  const body = written(asking, sent);
  const isSame = body === known(asking.asked, 'read').bytes;
  return { body: isSame ? undefined : body, effort: effortIn(asking, sent) };
};

/** A form goes out with the model's name and what the operator sets in it: texts, numbers, yes and no. */
const formOut = ({ upstreamModel, isWhole }: Asking, form: Form, { paramOverride }: Channel): SentForm => {
  const values: Record<string, string> = { model: upstreamModel };
  for (const [name, value] of Object.entries(paramOverride))
    if (PLAIN.has(typeof value)) values[name] = String(value);
  return sentForm(form, values, randomUUID(), isWhole);
};

const PLAIN: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

/** The caller's own body; the model has its name at this channel. */
const withModel = ({ asked, upstreamModel }: Asking): Fields => {
  const { facts, body, modelInPath } = known(asked, 'read');
  return upstreamModel === facts.model || modelInPath ? body : { ...body, model: upstreamModel };
};

/** The caller's own body, with what has to be another here. */
const repeated = (running: Asking, channel: Channel): Fields => {
  const { facts } = known(running.asked, 'read');
  let sent = withModel(running);
  if (running.files !== undefined) sent = { ...sent, $files: running.files };
  if (facts.stream && !facts.wantsStreamUsage) sent = running.wire.askForUsage(sent);
  const { systemPrompt } = channel.setting;
  return systemPrompt === undefined ? sent : withSystemPrompt(sent, systemPrompt);
};

/** The request in the upstream's format. Throws the caller's `invalid_request` for what that cannot say. */
const converted = (running: Asking, channel: Channel): Fields => {
  const written = writtenRequest(running, channel, running.format);
  if (written instanceof AppError) throw written;
  return known(running.asked, 'read').facts.stream ? running.format.askForUsage(written) : written;
};

/** Everything but what is set for this channel stays as the caller wrote it: spaces, escapes, long numbers. */
const written = (running: Asking, sent: Fields): Buffer | string => {
  const { bytes, body, changed } = known(running.asked, 'read');
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
    throw new AppError('invalid_request', 'the body nests too deep', { cause });
  }
};

/** The operator's own instruction goes first in chats that bring none. */
const withSystemPrompt = (body: Fields, prompt: string): Fields => {
  const { messages } = body;
  if (!Array.isArray(messages)) return body;
  const first: unknown = messages[0];
  const role = typeof first === 'object' && first !== null && 'role' in first ? first.role : undefined;
  if (role === 'system' || role === 'developer') return body;
  return { ...body, messages: [{ role: 'system', content: prompt }, ...(messages as unknown[])] };
};
