import { AppError } from '#core/error.ts';
import type { Tool } from '#core/chat/request.ts';
import { findWord, type WordOptions } from '#core/words/check-words.ts';
import { countTokens } from '../../dialects/count-tokens.ts';
import type { Dialect, Wire } from '../../dialects/dialect.ts';
import { askedCount } from '../asked-count.ts';
import { referencesIn } from '../kept/references.ts';
import { actsNowhere } from '../can-repeat.ts';
import { bodyOut } from '../outgoing.ts';
import type { RelayDeps, Upstream } from '../ports.ts';
import { readRequest } from '../read-request.ts';
import { type Asking, known } from '../running.ts';
import { upstreamModel } from '../upstream-model.ts';
import { writtenRequest } from '../written-request.ts';
import { channelFromWire, type FarAnswers, type FarForm, type FarQuestion } from './far-wire.ts';

type Fields = Readonly<Record<string, unknown>>;
type Deps = Pick<RelayDeps, 'dialects' | 'wires' | 'upstreamOf'>;

/** Longer fields stay in this thread. */
const SHORT_LENGTH = 4096;

const isShort = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= SHORT_LENGTH
    : typeof value !== 'object' || value === null || JSON.stringify(value).length <= SHORT_LENGTH;

const shortFields = (body: Fields): Fields =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => isShort(value)));

/** What is known of one call in its thread. */
export class FarWork {
  readonly #deps: Deps;
  #asking: Asking | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Throws what the same work would in the main thread. */
  answer(question: FarQuestion, words: WordOptions | undefined): FarAnswers[FarQuestion['kind']] {
    switch (question.kind) {
      case 'read':
        return this.#read(question, words);
      case 'write':
        return this.#write(question.form);
      case 'send':
        return this.#send(question);
      case 'count': {
        const { dialect, bytes, pathModel } = question;
        const request = this.#deps.dialects[dialect].readRequest(askedCount(pathModel, bufferOf(bytes)));
        return { model: request.model, tokens: countTokens(request) };
      }
    }
  }

  #read(
    { call, bytes }: Extract<FarQuestion, { kind: 'read' }>,
    words: WordOptions | undefined,
  ): FarAnswers['read'] {
    const { dialects, wires } = this.#deps;
    const { operation } = call;
    const wire: Wire | Dialect = operation === 'chat' ? dialects[call.dialect] : wires[operation];
    const { group, ...asked } = readRequest(call, wire, bufferOf(bytes));
    this.#asking = {
      call,
      wire,
      asked,
      format: wire,
      upstreamModel: '',
      isUnsealed: false,
      sparesTools: false,
      chatRequest: undefined,
      written: undefined,
      files: undefined,
      isWhole: undefined,
      routing: undefined,
    };
    const { bytes: _, body, told, ...rest } = asked;
    return {
      ...rest,
      operation,
      group,
      body: shortFields(body),
      told: shortFields(told),
      word: words === undefined ? undefined : findWord(words, told),
      actsNowhere: actsNowhere(told),
      references: wire.name === 'openai-responses' ? referencesIn(told) : [],
    };
  }

  #write(form: FarForm): FarAnswers['write'] {
    const { asking, channel, format } = this.#spoken(form);
    const written = writtenRequest(asking, channel, format);
    if (written instanceof AppError) throw written;
    return withoutMessages(known(asking.chatRequest, 'write'));
  }

  #send({ form, ...more }: Extract<FarQuestion, { kind: 'send' }>): FarAnswers['send'] {
    const { asking, channel, format, upstream } = this.#spoken(form);
    Object.assign(asking, { format, upstreamModel: more.upstreamModel, routing: { options: more.options } });
    const { body, effort } = bodyOut(asking, channel, upstream);
    return { bytes: body === undefined ? undefined : ofItsOwn(body), effort };
  }

  #spoken({ channel: plain, format: name, isUnsealed, sparesTools }: FarForm) {
    const asking = known(this.#asking, 'read');
    const channel = channelFromWire(plain);
    const upstream = known(this.#deps.upstreamOf(channel.type), 'select');
    Object.assign(asking, { isUnsealed, sparesTools });
    const model = upstreamModel(channel, known(asking.asked, 'read').facts.model);
    return { asking, channel, upstream, format: formatNamed(name, asking.wire, upstream, [channel, model]) };
  }
}

/** Bytes in memory of their own, which can be handed over without copying. */
const ofItsOwn = (body: Buffer | string): Uint8Array => {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const own = Buffer.from(new ArrayBuffer(length));
  if (typeof body === 'string') own.write(body);
  else body.copy(own);
  return own;
};

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

/** The one format of this name that is spoken between the two. */
const formatNamed = (
  name: string,
  wire: Wire | Dialect,
  upstream: Upstream,
  [channel, model]: readonly [ReturnType<typeof channelFromWire>, string],
): Asking['format'] => {
  if (name === wire.name) return wire;
  const spoken = [
    upstream.dialectFor?.(model, channel),
    upstream.betterFor?.(model, wire.name),
    upstream.dialect,
    ...(upstream.natives ?? []),
  ];
  return known(
    spoken.find((format) => format?.name === name),
    'select',
  );
};

/** That a tool has parameters says what kind it is. */
const withoutParameters = (tool: Tool): Tool =>
  tool.parameters === undefined ? tool : { ...tool, parameters: {} };

/** As much of a request as the writers of answers look at: no messages, no schemas, nothing long. */
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
