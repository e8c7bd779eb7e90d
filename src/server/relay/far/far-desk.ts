import { textDigest } from '../request/text-digest.ts';
import { AppError } from '#core/error.ts';
import type { Tool } from '#core/chat/request.ts';
import { findWord, type WordOptions } from '#core/words/check-words.ts';
import type { Fields } from '#core/json/fields.ts';
import { countTokens } from '../../dialects/count-tokens.ts';
import type { Dialect, Wire } from '../../dialects/dialect.ts';
import { askedCount } from '../caller/asked-count.ts';
import { referencesIn } from '../../dialects/openai-responses/references.ts';
import { mayRefer } from '../kept/response-fields.ts';
import { hasNoEffects } from '../request/can-repeat.ts';
import type { UpstreamFormat } from '../request/format.ts';
import { bodyOut } from '../request/outgoing.ts';
import type { RelayDeps } from '../ports.ts';
import type { Upstream } from '../../dialects/upstream.ts';
import { readRequest } from '../request/read-request.ts';
import { promptHead } from '../request/session-of.ts';
import { spareTokens } from '../request/spare-tokens.ts';
import type { CallerRequest } from '../request/request.ts';
import { type Source, translated, upstreamModel } from '../request/choose-format.ts';
import { Translations } from '../request/translations.ts';
import {
  channelFromWire,
  type FarAnswers,
  type FarCall,
  type FarForm,
  type FarQuestion,
  type FarEvent,
  type FarReply,
} from './far-wire.ts';
import { readFarEvent } from './far-events.ts';
import { readFarKept } from './far-kept.ts';
import { readFarReply } from './far-whole.ts';
import { bufferOf, ofItsOwn } from './own-bytes.ts';

type Deps = Pick<RelayDeps, 'dialects' | 'wires' | 'upstreamOf'>;

/** Longer fields are not sent to the main thread. */
const SHORT_LENGTH = 4096;

const isShort = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= SHORT_LENGTH
    : typeof value !== 'object' || value === null || JSON.stringify(value).length <= SHORT_LENGTH;

const shortFields = (body: Fields): Fields =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => isShort(value)));

/** A request that this thread has read. */
interface ReadHere {
  readonly call: FarCall;
  readonly wire: Wire | Dialect;
  readonly request: CallerRequest;
  readonly translations: Translations;
}

/** The state of one call in its worker thread. */
export class FarWork {
  readonly #deps: Deps;
  #read: ReadHere | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Answers a question of the main thread. Throws what the same work would throw in the main thread. */
  answer(question: FarQuestion, words: WordOptions | undefined): FarAnswers[FarQuestion['kind']] {
    switch (question.kind) {
      case 'read':
        return this.#readBody(question, words);
      case 'write':
        return this.#write(question.form);
      case 'spare': {
        const { wire, request } = found(this.#read);
        return { tokens: spareTokens(wire, request) };
      }
      case 'send':
        return this.#send(question);
      case 'reply': {
        const { upstream, ...formats } = this.#formats(question);
        const fields =
          question.fields === undefined ? undefined : (this.#read?.request.fields ?? question.fields);
        return readFarReply({ ...question, fields }, upstream, formats);
      }
      case 'event': {
        const { wire, format } = this.#formats(question);
        return readFarEvent(question, format, format.name !== wire.name);
      }
      case 'kept':
        return readFarKept(question);
      case 'count': {
        const { dialect, bytes, pathModel } = question;
        const request = this.#deps.dialects[dialect].readRequest(askedCount(pathModel, bufferOf(bytes)));
        return { model: request.model, tokens: countTokens(request) };
      }
    }
  }

  #readBody(
    { call, bytes }: Extract<FarQuestion, { kind: 'read' }>,
    words: WordOptions | undefined,
  ): FarAnswers['read'] {
    const { dialects, wires } = this.#deps;
    const { operation } = call;
    const wire: Wire | Dialect = operation === 'chat' ? dialects[call.dialect] : wires[operation];
    const request = readRequest(call, wire, bufferOf(bytes));
    this.#read = { call, wire, request, translations: new Translations(wire, request) };
    const { bytes: _, body, fields, ...rest } = request;
    return {
      ...rest,
      operation,
      body: shortFields(body),
      fields: shortFields(fields),
      word: words === undefined ? undefined : findWord(words, fields, textDigest),
      hasNoEffects: hasNoEffects(fields),
      promptHead: promptHead(fields),
      assumed: assumedUsage(wire, fields),
      references: mayRefer(wire.name) ? referencesIn(fields) : [],
    };
  }

  #write(form: FarForm): FarAnswers['write'] {
    const { source, channel, format } = this.#spoken(form);
    const written = translated(source, channel, format);
    if (written instanceof AppError) throw written;
    return withoutMessages(found(source.translations.chatRequest));
  }

  #send({ form, upstreamModel: model, options }: Extract<FarQuestion, { kind: 'send' }>): FarAnswers['send'] {
    const { source, ...target } = this.#spoken(form);
    const { body, ...rest } = bodyOut(
      { ...source, routing: { options } },
      { ...target, overrides: form.overrides, upstreamModel: model },
    );
    return { ...rest, bytes: body === undefined ? undefined : ofItsOwn(body) };
  }

  /** The caller's and the upstream's format. */
  #formats({ call, channel: plain, upstreamModel: model, format: name }: FarReply | FarEvent) {
    const { dialects, wires, upstreamOf } = this.#deps;
    const { operation, dialect } = call;
    const wire: Wire | Dialect = operation === 'chat' ? dialects[dialect] : wires[operation];
    const channel = channelFromWire(plain);
    const upstream = found(upstreamOf(channel.type));
    return {
      upstream,
      wire,
      format: name === undefined ? wire : spokenBy(upstream, wire, [channel, model], name),
    };
  }

  #spoken({
    model: asked,
    channel: plain,
    format: name,
    isUnsigned,
    omitsTools,
    stripsTerms,
    outputLimit,
  }: FarForm) {
    const read = found(this.#read);
    const channel = channelFromWire(plain);
    const upstream = found(this.#deps.upstreamOf(channel.type));
    const facts = { ...read.request.facts, model: asked };
    const source: Omit<Source, 'routing'> = {
      ...read,
      request: { ...read.request, facts },
      omitsTools,
      stripsTerms,
      outputLimit,
      live: { isUnsigned },
    };
    const model = upstreamModel(channel, asked);
    return { source, channel, upstream, format: formatNamed(name, read.wire, upstream, [channel, model]) };
  }
}

const assumedUsage = ({ usageWithoutReport: usageOf }: Wire, fields: Fields): FarAnswers['read']['assumed'] =>
  usageOf && { asAsked: usageOf(fields, undefined), ofOnePicture: usageOf(fields, { data: [{}] }) };

/** Returns a value that an earlier question or the main thread has set; throws if it is missing. */
const found = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('a question came out of its turn');
  return value;
};

/** The one format of this name that both sides can speak. */
const formatNamed = (
  name: string,
  wire: Wire | Dialect,
  upstream: Upstream,
  of: readonly [ReturnType<typeof channelFromWire>, string],
): UpstreamFormat => (name === wire.name ? wire : spokenBy(upstream, wire, of, name));

const spokenBy = (
  upstream: Upstream,
  wire: Wire | Dialect,
  [channel, model]: readonly [ReturnType<typeof channelFromWire>, string],
  name: string,
): UpstreamFormat => {
  const formats = [
    upstream.dialectFor?.(model, channel),
    upstream.betterFor?.(model, wire.name),
    upstream.dialect,
    ...(upstream.natives ?? []),
  ];
  return found(formats.find((format) => format?.name === name));
};

/** Removes a tool's parameters but keeps whether there are any, because only that decides the kind of tool. */
const withoutParameters = (tool: Tool): Tool =>
  tool.parameters === undefined ? tool : { ...tool, parameters: {} };

/** Keeps what writing an answer needs of a request: no messages, no schemas, nothing long. */
const withoutMessages = (request: FarAnswers['write']): FarAnswers['write'] => {
  const { model, stream, extras, tools, messages: _, ...settings } = request;
  const shortExtras = Object.entries(extras).map(([name, fields]) => [name, shortFields(fields)] as const);
  return {
    ...shortFields(settings),
    model,
    stream,
    messages: [],
    extras: Object.fromEntries(shortExtras),
    ...(tools !== undefined && { tools: tools.map(withoutParameters) }),
  };
};
