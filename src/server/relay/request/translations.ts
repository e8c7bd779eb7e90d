import type { ChatRequest } from '#core/chat/request.ts';
import { withoutOptionalTools } from '#core/chat/leave-out-tools.ts';
import { withLaterTools } from '#core/chat/later-tools.ts';
import { withOutputLimit } from '#core/chat/with-output-limit.ts';
import { requireSupported } from '#core/chat/require-supported.ts';
import { placeNamed, withPlaces } from '#core/chat/places.ts';
import { unsupportedTool } from '#core/chat/unsupported-tool.ts';
import { AppError } from '#core/error.ts';
import type { Fields } from '#core/json/fields.ts';
import type { Dialect, Wire } from '../../dialects/dialect.ts';
import { withCallersPlace } from './callers-place.ts';
import { fitRequest } from './fit-request.ts';
import { asEgress, callerDialect, type UpstreamFormat } from './format.ts';
import { withoutSignatures, withOwnSignatures } from './signatures.ts';
import type { CallerRequest } from './request.ts';

/** What makes two translations of a request to the same format differ. */
export interface TranslationTerms {
  /** The upstream's name of the model. */
  readonly model: string;
  /** The operator's system prompt; empty for none. */
  readonly systemPrompt: string;
  readonly isUnsigned: boolean;
  readonly omitsTools: boolean;
  /** The most output tokens that can be paid for; undefined if the caller's own limit can be paid. */
  readonly outputLimit: number | undefined;
}

/** A chat in the formats of upstreams. Each translation is made once, on first use. */
export class Translations {
  readonly #wire: Wire | Dialect;
  readonly #request: CallerRequest;
  #chatRequest: ChatRequest | undefined;
  /** Keyed by the format object, because some channel types write the format of one name differently. */
  #written: Map<UpstreamFormat, Map<string, Fields | AppError>> | undefined;

  constructor(wire: Wire | Dialect, request: CallerRequest) {
    this.#wire = wire;
    this.#request = request;
  }

  /** The request in our internal form; set once something was translated. */
  get chatRequest(): ChatRequest | undefined {
    return this.#chatRequest ?? this.#request.far?.chatRequest;
  }

  /** The request in this format, or why the format cannot express it. */
  in(format: UpstreamFormat, terms: TranslationTerms): Fields | AppError {
    this.#written ??= new Map();
    let written = this.#written.get(format);
    if (written === undefined) this.#written.set(format, (written = new Map<string, Fields | AppError>()));
    const { model, systemPrompt, isUnsigned, omitsTools, outputLimit } = terms;
    const key = [model, systemPrompt, isUnsigned, omitsTools, outputLimit].join('\n');
    let translation = written.get(key);
    if (translation === undefined) written.set(key, (translation = this.#write(format, terms)));
    return translation;
  }

  #write(format: UpstreamFormat, terms: TranslationTerms): Fields | AppError {
    try {
      this.#chatRequest ??= callerDialect(this.#wire).readRequest(this.#request.fields);
      return this.#made(this.#chatRequest, format, terms);
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'invalid_request')
        return this.#inCallersPlaces(thrown, format, terms);
      throw thrown;
    }
  }

  #made(request: ChatRequest, format: UpstreamFormat, terms: TranslationTerms): Fields {
    const { model, systemPrompt, isUnsigned, omitsTools, outputLimit } = terms;
    const plain = format.name === this.#wire.name ? request : withLaterTools(request);
    const whole = omitsTools ? withoutOptionalTools(plain, format.name).request : plain;
    const asked = outputLimit === undefined ? whole : withOutputLimit(whole, outputLimit);
    requireNative(asked, format.name);
    const own = withOwnSignatures({ ...asked, model }, format.name);
    const prompted = withSystemPrompt(isUnsigned ? withoutSignatures(own) : own, systemPrompt);
    const egress = asEgress(format);
    return egress.writeRequest(format.name === this.#wire.name ? prompted : fitRequest(prompted, egress));
  }

  /**
   * Rewrites a refusal that names a message or a tool by its place in our body, so that it names the caller's place.
   */
  #inCallersPlaces(refusal: AppError, format: UpstreamFormat, terms: TranslationTerms): AppError {
    const request = this.#chatRequest;
    const isCallers = request?.onlyIn?.some(({ message }) => message === refusal.message) === true;
    if (request === undefined || isCallers || placeNamed(refusal.param) === undefined) return refusal;
    try {
      this.#made(withPlaces(request), format, terms);
    } catch (thrown) {
      if (thrown instanceof AppError)
        return withCallersPlace(thrown, callerDialect(this.#wire), this.#request.fields);
    }
    return refusal;
  }
}

/**
 * Throws `invalid_request`, naming the field, for features that only upstreams of another format have: kept
 * conversations, and tools the upstream runs itself. Dropping them would change the answer.
 */
export const requireNative = (request: ChatRequest, target: string): void => {
  requireSupported(request, target);
  for (const [index, tool] of (request.tools ?? []).entries()) {
    const refusal = unsupportedTool(tool, index, target);
    if (refusal !== undefined) throw refusal;
  }
};

/** Puts the operator's system prompt first in chats that have none. */
const withSystemPrompt = (request: ChatRequest, prompt: string): ChatRequest => {
  const bringsOne = request.messages.some(({ role }) => role === 'system' || role === 'developer');
  if (prompt === '' || bringsOne) return request;
  return {
    ...request,
    messages: [{ role: 'system', content: [{ type: 'text', text: prompt }] }, ...request.messages],
  };
};
