import type { GrowOutcome, Growth, Shortage } from '#core/ledger/ledger.ts';
import { completionTokens, noUsage, promptTokens, type ToolCalls, type Usage } from '#core/chat/usage.ts';
import { affordedTokens, usageWithin } from '#core/quota/afford.ts';
import { BYTES_PER_TOKEN } from '#core/quota/charge.ts';
import { MAX_QUOTA_UNITS } from '#contract/limits.ts';
import type { CallSize } from '#core/quota/estimate.ts';
import { type Price, quotaOf } from '#core/quota/price.ts';
import { termNames } from '#core/quota/served-terms.ts';
import type { ServiceTerms } from '#core/quota/service-terms.ts';
import { impossibleSides, type UsageLimits } from '#core/quota/usage-limits.ts';
import { type AskedFacts, chargeOf, type Meter, toolCallsOf } from '../meter.ts';
import type { QueuePlace } from './money-queue.ts';
import { OutputDensity } from './output-density.ts';
import {
  AHEAD_TOKENS,
  type Amounts,
  amountsOf,
  isSoundDearest,
  OF_PROMPT,
  promptOf,
} from './rolling-amounts.ts';

/** How often, and after what pause, a stream retries while the ledger cannot be reached. */
const TRIES = 20;
const TRY_AGAIN_MS = 500;

/** A hold for the pictures of a stream, which are paid by the piece. */
export interface CountedHold {
  readonly heldUnits: number;
  /** The number of pictures it pays for. */
  readonly count: number;
  /** Whether it covers what the upstream has begun. */
  covers(meter: Meter): boolean;
  /** Asks the ledger for as much as covers it. */
  ask(meter: Meter): Promise<GrowOutcome>;
}

/** The start of a hold that grows; amounts in quota units. */
export interface RollingTerms {
  readonly id: string;
  /** The highest price of the request, for its prompt as estimated. */
  readonly price: Price;
  /** The highest price for a prompt of this length, served on the terms that the upstream reports. */
  readonly priceTold: (promptTokens: number, served: ServiceTerms | undefined) => Price;
  readonly size: CallSize;
  /** The parts of the request, besides its size, that its price depends on. */
  readonly asked?: Pick<AskedFacts, 'keepsAnHour' | 'model'>;
  readonly heldUnits: number;
  /** How many tokens of the answer this amount surely pays for, in all choices together. */
  readonly coveredTokens: number;
  /** The cost of the longest answer that the caller allows; undefined without such a limit. */
  readonly mostUnits: number | undefined;
  /** What an honest report of the upstream cannot exceed so far. */
  readonly limitsNow?: () => UsageLimits | undefined;
  /** Look at every frame: the payer has little and the text may be denser than prose, or the answer is spoken. */
  readonly isTight?: boolean;
  readonly grow: (growth: Growth) => Promise<GrowOutcome>;
  /** Joins the queue for quota that other calls of the same payer give back. */
  readonly join: (shortage: Shortage) => QueuePlace | undefined;
  /** Whether calls of the same payer that have not begun wait for quota. */
  readonly isCrowded?: () => boolean;
}

/**
 * The hold of a stream. It grows ahead of the answer. Each check of the price computes how many bytes may arrive before
 * the next check, so that most chunks cost only one comparison.
 */
export class RollingHold {
  /** The pictures that a tool draws in the middle of the stream. */
  beside: CountedHold | undefined;
  readonly density = new OutputDensity();
  readonly #terms: RollingTerms;
  #price: Price;
  /** The prompt and terms that `#price` was computed for. */
  #promptTokens: number;
  #served: ServiceTerms | undefined;
  #amounts: Amounts | undefined;
  #heldUnits: number;
  #askBytes: number;
  #seen: Usage | undefined;
  /** The calls of the upstream's own tools at the last look. */
  #seenCalls: ToolCalls | undefined;
  /** The report whose prompt was priced at the last look; undefined while the prompt is only estimated. */
  #priced: Usage | undefined;
  /** No check is needed while the reported tokens of the answer stay at or below this. */
  #fineTokens: number;
  #asking: Promise<void> | undefined;
  /** The ledger had nothing more to give when last asked. */
  #isSpent = false;

  constructor(terms: RollingTerms) {
    this.#terms = terms;
    this.#price = terms.price;
    this.#promptTokens = terms.size.inputTokens;
    this.#heldUnits = terms.heldUnits;
    const { size, coveredTokens, mostUnits = Infinity, heldUnits } = terms;
    const aheadTokens = mostUnits > heldUnits ? AHEAD_TOKENS * size.choices : 0;
    const fineTokens = Math.max(0, coveredTokens - aheadTokens);
    this.#askBytes = terms.isTight === true ? 0 : fineTokens * BYTES_PER_TOKEN;
    // A report may be of sound, for which nothing was held.
    this.#fineTokens = isSoundDearest(terms.price) ? 0 : fineTokens;
  }

  /** The units held now, in total. */
  get heldUnits(): number {
    return this.#heldUnits;
  }

  /** Looks at new reports of the upstream. Returns `fineBytes`, or 0 if the report may cost more. */
  look(meter: Meter): number {
    const { reported, served } = meter;
    if (reported !== this.#seen) {
      this.#seen = reported;
      if (reported !== undefined && this.#mayCostMore(reported)) return 0;
    }
    if (served !== this.#served && this.#isRepriced(meter)) return 0;
    // Every picture is checked, because one may cost more than all of the text.
    return toolCallsOf(meter) !== this.#seenCalls || this.beside !== undefined ? 0 : this.fineBytes(meter);
  }

  /** The number of further bytes of text that need no check of their cost. */
  fineBytes({ outputBytes }: Meter): number {
    return this.#askBytes - outputBytes;
  }

  /** Whether the hold covers what has arrived. A finished answer needs nothing ahead, but is paid to its end. */
  covers(meter: Meter, isSaid = false): boolean {
    return !this.isShort(meter) || (meter.finished && !isSaid);
  }

  /**
   * How many bytes of the answer the hold pays for. With `asHeld` (for the first words, and at the end) the prompt
   * costs what was held for it: if it turns out longer, no words are withheld for that.
   */
  paidBytes(meter: Meter, asHeld: boolean): number {
    const price = this.#price;
    const { size } = this.#terms;
    const used = this.#usageOf(meter);
    const paid = usageWithin((one) => quotaOf(price, one) ?? MAX_QUOTA_UNITS, used, this.#heldUnits);
    const held = asHeld
      ? affordedTokens(price, { ...size, leastInputTokens: 0 }, this.#heldUnits) * size.choices
      : 0;
    const share = Math.max(paid.outputTokens, held) / Math.max(1, used.outputTokens);
    return Math.floor(meter.outputBytes * Math.min(1, share));
  }

  /** Whether what has arrived costs more than is held. Also requests growth ahead of need, without waiting for it. */
  isShort(meter: Meter): boolean {
    if (this.#isRepriced(meter)) this.#reprice(meter);
    const { aheadUnits, unitsPerToken } = this.#amountsNow();
    const usedUnits = this.#unitsOf(meter);
    const leftUnits = this.#heldUnits - usedUnits;
    const isNear = leftUnits < aheadUnits && this.#mayGrow(usedUnits);
    const isCrowded = isNear && this.#terms.isCrowded?.() === true;
    if (isNear && !this.#isSpent && leftUnits >= 0 && !isCrowded) this.#askAhead(usedUnits);
    const untilAsk = isNear || !this.#mayGrow(usedUnits) ? leftUnits : leftUnits - aheadUnits;
    const tokens = unitsPerToken === 0 ? Infinity : Math.max(0, untilAsk) / unitsPerToken;
    const fineBytes = Math.floor(tokens / this.density.perByte);
    this.#askBytes = this.#terms.isTight === true ? 0 : meter.outputBytes + fineBytes;
    const { reported } = meter;
    this.#fineTokens = completionTokens(reported ?? noUsage) + tokens;
    this.#seen = reported;
    this.#priced = promptTokens(reported ?? noUsage) > 0 ? reported : undefined;
    this.#seenCalls = toolCallsOf(meter);
    return leftUnits < 0 || this.beside?.covers(meter) === false;
  }

  /**
   * Grows the hold until it covers what has arrived, and more. Returns false if there is not enough quota; then all of
   * it is held.
   */
  async grows(meter: Meter, isSaid = false): Promise<boolean> {
    await this.#asking;
    if (this.covers(meter, isSaid)) return true;
    const { beside } = this;
    if (beside?.covers(meter) === false) {
      await this.#patiently(() => beside.ask(meter));
      if (this.covers(meter, isSaid) || !beside.covers(meter)) return beside.covers(meter);
    }
    const usedUnits = this.#unitsOf(meter);
    if (!(await this.#patiently(() => this.#ask(usedUnits, usedUnits)))) await this.#ask(usedUnits, 0);
    return this.covers(meter, isSaid);
  }

  /** Asks until there is enough, and waits if other calls of the payer hold it. Returns false if there is not. */
  async #patiently(ask: () => Promise<GrowOutcome>): Promise<boolean> {
    let place: QueuePlace | undefined;
    try {
      for (;;) {
        const outcome = await ask();
        if (!('heldUnits' in outcome)) return true;
        if (outcome.heldUnits <= this.#heldUnits + (this.beside?.heldUnits ?? 0)) return false;
        place ??= this.#terms.join(outcome);
        if ((await place?.turn(outcome)) !== true) return false;
      }
    } finally {
      place?.leave();
    }
  }

  /** The cost so far. Until the upstream reports the prompt's usage, the prompt costs what was held for it. */
  #unitsOf(meter: Meter): number {
    return quotaOf(this.#price, this.#usageOf(meter)) ?? MAX_QUOTA_UNITS;
  }

  #usageOf(meter: Meter): Usage {
    const { size } = this.#terms;
    const asked = { ...this.#terms.asked, inputTokensEstimate: size.inputTokens, speaks: size.speaks };
    const charge = chargeOf(meter, asked, this.#terms.limitsNow?.());
    const used = this.#asDense(charge.action === 'void' ? noUsage : charge.usage, meter);
    const isPromptKnown = this.#toldPrompt(meter) > 0;
    return isPromptKnown ? used : { ...used, inputTokens: 0, ...promptOf(this.#price, size) };
  }

  /** The same usage, with more tokens for text that no report has counted yet and that is denser than prose. */
  #asDense(used: Usage, { outputBytes, reportedBytes, reported = noUsage }: Meter): Usage {
    const { perByte } = this.density;
    if (perByte * BYTES_PER_TOKEN === 1) return used;
    const told = reportedBytes > 0 ? completionTokens(reported) : 0;
    const more = told + Math.ceil((outputBytes - reportedBytes) * perByte) - completionTokens(used);
    return more > 0 ? { ...used, outputTokens: used.outputTokens + more } : used;
  }

  /** Whether a report may cost more than the last priced one: more output, or other kinds of prompt tokens. */
  #mayCostMore(reported: Usage): boolean {
    if (completionTokens(reported) > this.#fineTokens) return true;
    const before = this.#priced;
    if (before !== undefined) return OF_PROMPT.some((bucket) => reported[bucket] !== before[bucket]);
    const { imageInputTokens, audioInputTokens, cacheWrite5mTokens, cacheWrite1hTokens } = reported;
    const written = this.#price.factors.writesCache ? 0 : cacheWrite5mTokens + cacheWrite1hTokens;
    const unheldTokens = imageInputTokens + audioInputTokens + written;
    return unheldTokens > 0 || promptTokens(reported) > this.#terms.size.inputTokens;
  }

  /** Whether the upstream has reported something new that may change the price. */
  #isRepriced(meter: Meter): boolean {
    const { served } = meter;
    if (this.#toldPrompt(meter) > this.#promptTokens) return true;
    return served !== this.#served && termNames.some((name) => served?.[name] !== this.#served?.[name]);
  }

  #reprice(meter: Meter): void {
    const { served } = meter;
    this.#promptTokens = Math.max(this.#promptTokens, this.#toldPrompt(meter));
    this.#served = served;
    this.#price = this.#terms.priceTold(this.#promptTokens, served);
    this.#amounts = undefined;
  }

  /** The length of the prompt as reported; 0 if it was not reported, or is longer than possible. */
  #toldPrompt({ reported, outputBytes, thinks }: Meter): number {
    if (reported === undefined) return 0;
    const tokens = promptTokens(reported);
    if (tokens <= this.#promptTokens) return tokens;
    const { prompt } = impossibleSides(reported, this.#terms.limitsNow?.(), { outputBytes, thinks });
    return prompt ? 0 : tokens;
  }

  #amountsNow(): Amounts {
    return (this.#amounts ??= amountsOf(this.#price, this.#terms.size));
  }

  /** Whether the answer may still cost more than is held. */
  #mayGrow(usedUnits: number): boolean {
    const { mostUnits = Infinity } = this.#terms;
    return this.#heldUnits < mostUnits || usedUnits > this.#heldUnits;
  }

  #askAhead(usedUnits: number): void {
    this.#asking ??= this.#ask(usedUnits, 0)
      .then(() => undefined)
      // The next chunk that needs the growth asks again.
      .catch(() => undefined)
      .finally(() => {
        this.#asking = undefined;
        // Makes the next chunk check again.
        this.#askBytes = 0;
      });
  }

  async #ask(usedUnits: number, leastUnits: number): Promise<GrowOutcome> {
    const { id, grow, mostUnits = Infinity } = this.#terms;
    const amounts = this.#amountsNow();
    const stepUnits = this.#terms.isCrowded?.() === true ? amounts.crowdedStepUnits : amounts.stepUnits;
    const wanted = Math.max(this.#heldUnits, usedUnits) + stepUnits;
    const isWithinMost = mostUnits > Math.max(this.#heldUnits, usedUnits);
    const quotaUnits = Math.min(isWithinMost ? Math.min(wanted, mostUnits) : wanted, MAX_QUOTA_UNITS);
    for (let tries = 1; ; tries += 1) {
      try {
        const outcome = await grow({ id, quotaUnits, leastUnits: Math.min(leastUnits, quotaUnits) });
        if (outcome.state === 'grown') this.#heldUnits = outcome.quotaUnits;
        this.#isSpent = outcome.state !== 'grown' || outcome.quotaUnits < quotaUnits;
        return outcome;
      } catch (thrown) {
        if (leastUnits === 0 || tries >= TRIES) throw thrown;
        await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
      }
    }
  }
}
