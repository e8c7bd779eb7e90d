import { AppError, asAppError } from '#core/error.ts';
import type { ToolPictures } from '../../dialects/dialect.ts';
import { hold, planFor } from './hold/hold.ts';
import { priceOfCall } from './price/price-of-call.ts';
import { noReply } from '../calls.ts';
import type { RelayDeps } from '../ports.ts';
import { Live } from '../live.ts';
import type { CallerRequest } from '../request/request.ts';
import type { Admitted, Held } from '../stages.ts';
import type { Meter } from './meter.ts';
import type { GrowOutcome } from '#core/ledger/ledger.ts';
import type { CountedHold } from './hold/rolling-hold.ts';
import { Translations } from '../request/translations.ts';
import { saveUnits, settle } from './settle.ts';

type SettleDeps = Parameters<typeof settle>[0] & Pick<RelayDeps, 'wires'>;
type HoldDeps = Parameters<typeof hold>[0] & SettleDeps;

const NOTHING = Buffer.alloc(0);
/** A hold covers at most this many pictures, whatever number of tool calls is allowed. */
const MOST_HELD = 10;
/** The number of pictures held for a payer with little quota. */
const USUALLY_HELD = 3;
/** The most pictures one call may ask for. */
const MOST_ASKED_FOR = 128;

/** The number of pictures, read as for the images endpoint. */
const askedFor = (
  { wires }: Pick<RelayDeps, 'wires'>,
  draws: ToolPictures,
  pictures: number,
  inputTokensEstimate: number,
): CallerRequest => {
  const { model, size, quality, previews } = draws;
  const n = Math.min(Math.max(1, pictures), MOST_ASKED_FOR);
  const fields = { model, prompt: '', n, size, quality, partial_images: previews };
  return {
    // The drawing model reads the prompt too.
    facts: { ...wires.images.facts(fields), inputTokensEstimate },
    bytes: NOTHING,
    body: fields,
    fields,
    changed: false,
    modelInPath: false,
    hasForeignSignatures: false,
    group: '',
  };
};

/**
 * Holds what a tool of the upstream may draw during this answer, at the drawing model's price. If that fails, the
 * answer's own hold is given back. Throws as `hold` does, and `invalid_request` if that model has no price or the
 * answer is not waited for.
 */
export const holdPictures = async (deps: HoldDeps, held: Held): Promise<Held> => {
  const { request, omitsTools, live } = held;
  const { draws } = request.facts;
  if (draws === undefined || omitsTools) return held;
  try {
    return { ...held, pictures: await heldBeside(deps, held, draws) };
  } catch (thrown) {
    const isPriceless = thrown instanceof AppError && thrown.reason === 'model_price_error';
    const error = isPriceless ? priceless(draws.model) : asAppError(thrown);
    live.failure = error;
    await settle(deps, held);
    throw error;
  }
};

/**
 * A stream holds what its caller allows, and more as it draws. Any other answer holds as many as it may draw, whatever its caller
 * allows, because not every upstream obeys that.
 */
const heldBeside = async (deps: HoldDeps, held: Held, draws: ToolPictures): Promise<Held> => {
  const { call, routing, live } = held;
  if (live.background !== undefined)
    throw new AppError('invalid_request', "'tools': pictures are not drawn in the background", {
      param: 'tools',
    });
  const drawing = {
    ...call,
    operation: 'images',
    requestId: `${call.requestId}-pictures`,
    reply: noReply,
  } as const;
  const first = Math.min(draws.most ?? 1, MOST_HELD);
  const drawnLive = new Live(drawing, routing.options.StreamCacheQueueLength);
  const drawn = (pictures: number) =>
    drawnBy(deps, held, { draws, pictures, call: drawing, live: drawnLive });
  const { rolling } = live;
  if (rolling === undefined) {
    const less = { usual: drawn(Math.max(first, USUALLY_HELD)), least: drawn(first) };
    return hold(deps, drawn(MOST_HELD), less);
  }
  const beside = await hold(deps, drawn(first));
  rolling.beside = new DrawnHold(beside.heldUnits, first, async (pictures) => {
    const { quotaUnits, leastUnits = quotaUnits } = planFor(drawn(pictures));
    const outcome = await deps.ledger.grow({ id: drawing.requestId, quotaUnits, leastUnits });
    if (outcome.state === 'grown') drawnLive.grownUnits = outcome.quotaUnits;
    return outcome;
  });
  return beside;
};

interface Drawing extends Pick<Admitted, 'call' | 'live'> {
  readonly draws: ToolPictures;
  readonly pictures: number;
}

const drawnBy = (deps: HoldDeps, held: Held, { draws, pictures, call, live }: Drawing): Admitted => {
  const request = askedFor(deps, draws, pictures, held.request.facts.inputTokensEstimate);
  const { images } = deps.wires;
  const translations = new Translations(images, request);
  return { ...held, isSideCall: true, call, wire: images, request, translations, live };
};

/** The hold for the pictures of a stream. It grows when the upstream begins a picture that it does not cover. */
class DrawnHold implements CountedHold {
  heldUnits: number;
  count: number;
  /** For how many of them the cost is saved. */
  saved = 0;
  readonly #grow: (pictures: number) => Promise<GrowOutcome>;

  constructor(heldUnits: number, count: number, grow: (pictures: number) => Promise<GrowOutcome>) {
    this.heldUnits = heldUnits;
    this.count = count;
    this.#grow = grow;
  }

  covers({ picturesBegun, pictures }: Meter): boolean {
    return Math.max(picturesBegun, pictures) <= this.count;
  }

  async ask(meter: Meter): Promise<GrowOutcome> {
    const drawn = Math.max(meter.picturesBegun, meter.pictures);
    const outcome = await this.#grow(drawn);
    if (outcome.state === 'grown') {
      this.heldUnits = outcome.quotaUnits;
      this.count = drawn;
    }
    return outcome;
  }
}

const priceless = (model: string): AppError =>
  new AppError(
    'invalid_request',
    `'tools': image_generation draws with ${model}, whose price is not set; name another model in the tool, or ask the administrator`,
    { reason: 'model_price_error', param: 'tools' },
  );

/** How many pictures were shown. If the stream was ended before a picture, that one does not count. */
const shownOf = ({ meter, rolling, cutBefore }: Live): number =>
  Math.min(meter.pictures, cutBefore === undefined ? Infinity : (rolling?.beside?.count ?? Infinity));

/** What was drawn so far, as a call of its own; undefined if nothing was. */
const drawnSoFar = (
  deps: Pick<RelayDeps, 'wires'>,
  { pictures: beside, live, request: { facts } }: Held,
): Held | undefined => {
  const shown = shownOf(live);
  const usage = live.meter.pictureUsage;
  if (beside === undefined || facts.draws === undefined) return undefined;
  // Set by name, so that the compiler checks the field.
  beside.live.attempt = live.attempt;
  beside.live.attempts = live.attempts;
  beside.live.firstByteMs = live.firstByteMs;
  if (shown === 0 && usage === undefined) return undefined;
  Object.assign(beside.live.meter, { reported: usage, produced: true, finished: true });
  const request = askedFor(deps, facts.draws, shown, beside.request.facts.inputTokensEstimate);
  const drawn = { ...beside, request };
  return { ...drawn, price: priceOfCall(drawn) };
};

/** Saves what the pictures of a stream have cost so far, after each: so much is charged if the server is killed. */
export const checkpointPictures = (
  deps: Pick<RelayDeps, 'wires'> & Parameters<typeof saveUnits>[0],
  held: Held,
): void => {
  const beside = held.live.rolling?.beside;
  const shown = shownOf(held.live);
  if (!(beside instanceof DrawnHold) || shown <= beside.saved) return;
  beside.saved = shown;
  const drawn = drawnSoFar(deps, held);
  if (drawn !== undefined) saveUnits(deps, drawn);
};

/** Charges the pictures drawn, as a log row of their own, or gives their hold back. Never rejects. */
export const settlePictures = async (deps: SettleDeps, held: Held): Promise<void> => {
  const { pictures: beside } = held;
  if (beside === undefined || beside.live.holdState === 'closed') return;
  await settle(deps, drawnSoFar(deps, held) ?? beside);
};
