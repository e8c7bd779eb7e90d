import type { Afford, HoldPlan, HoldStyle } from '#core/quota/afford.ts';
import { spareTokens } from '../../request/spare-tokens.ts';
import type { Admitted } from '../../stages.ts';
import type { affordOf } from './afford-of-call.ts';

/** What the amounts asked of the ledger are computed from. */
export interface Terms {
  readonly plan: HoldPlan;
  readonly style: HoldStyle;
  /** The bounds of a call that takes less while other calls of its payer wait. */
  readonly shared?: Afford | undefined;
}

type CallTerms = Terms & { readonly afford: ReturnType<typeof affordOf> };

/**
 * The terms of a call. They begin with a quick estimate of its prompt, which is far too high for prose. If the payer
 * does not have that much, the prompt is counted closely.
 */
export class Sizing {
  terms: CallTerms;
  readonly #admitted: Admitted;
  readonly #termsOf: (admitted: Admitted) => CallTerms;
  #isRefined = false;

  constructor(admitted: Admitted, termsOf: (admitted: Admitted) => CallTerms) {
    this.terms = termsOf(admitted);
    this.#admitted = admitted;
    this.#termsOf = termsOf;
  }

  /** Counts the prompt closely, once. Returns whether it is smaller than estimated. */
  async refine(): Promise<boolean> {
    if (this.#isRefined) return false;
    this.#isRefined = true;
    const { wire, request } = this.#admitted;
    const spare = await (request.far?.spareTokens() ?? spareTokens(wire, request));
    if (spare === 0) return false;
    const inputTokensEstimate = request.facts.inputTokensEstimate - spare;
    const facts = { ...request.facts, inputTokensEstimate };
    this.terms = this.#termsOf({ ...this.#admitted, request: { ...request, facts } });
    return true;
  }
}

/** The terms of a hold whose amount is known. */
export const fixedSize = (plan: HoldPlan): Pick<Sizing, 'refine'> & { readonly terms: Terms } => ({
  terms: { plan, style: 'fixed' },
  refine: () => Promise.resolve(false),
});
