import { AppError } from '#core/error.ts';
import type { ToolPictures } from '../dialects/dialect.ts';
import { hold, priceOfCall } from './hold.ts';
import { noReply } from './no-reply.ts';
import type { RelayDeps } from './ports.ts';
import { type Asked, known, Running } from './running.ts';
import { settle } from './settle.ts';

type HoldDeps = Parameters<typeof hold>[0] & Pick<RelayDeps, 'wires'>;
type SettleDeps = Parameters<typeof settle>[0] & Pick<RelayDeps, 'wires'>;

const NOTHING = Buffer.alloc(0);
/** A hold assumes no more pictures than this, whatever number of calls of tools is allowed. */
const MOST_HELD = 10;
/** No call for pictures may ask for more. */
const MOST_ASKED_FOR = 128;

/** So many pictures as a call for pictures would ask for them. */
const askedFor = (
  { wires }: Pick<RelayDeps, 'wires'>,
  draws: ToolPictures,
  pictures: number,
  inputTokensEstimate: number,
): Asked => {
  const { model, size, quality } = draws;
  const told = { model, prompt: '', n: Math.min(Math.max(1, pictures), MOST_ASKED_FOR), size, quality };
  return {
    // What draws reads what was said before.
    facts: { ...wires.images.facts(told), inputTokensEstimate },
    bytes: NOTHING,
    body: told,
    told,
    changed: false,
    modelInPath: false,
    hasForeignSignatures: false,
  };
};

/**
 * Holds what a tool of the upstream's may draw in the middle of this answer, at the price of the model that draws.
 * Throws as `hold` does, and `invalid_request` where that model has no price or nobody would wait for the pictures.
 */
export const holdPictures = async (deps: HoldDeps, running: Running): Promise<void> => {
  const { facts } = known(running.asked, 'read');
  const { draws } = facts;
  if (draws === undefined) return;
  if (running.background !== undefined)
    throw new AppError('invalid_request', "'tools': pictures are not drawn in the background", {
      param: 'tools',
    });
  const { call, routing, createdAtMs, startedMs } = running;
  const beside = new Running(
    { ...call, operation: 'images', requestId: `${call.requestId}-pictures`, reply: noReply },
    deps.wires.images,
    routing,
    createdAtMs,
    startedMs,
  );
  beside.isBeside = true;
  beside.caller = running.caller;
  beside.group = running.group;
  const most = Math.min(draws.most ?? 1, MOST_HELD);
  beside.asked = askedFor(deps, draws, most, facts.inputTokensEstimate);
  try {
    await hold(deps, beside);
  } catch (thrown) {
    const isPriceless = thrown instanceof AppError && thrown.reason === 'model_price_error';
    throw isPriceless ? priceless(draws.model) : thrown;
  }
  running.pictures = beside;
};

const priceless = (model: string): AppError =>
  new AppError(
    'invalid_request',
    `'tools': image_generation draws with ${model}, whose price is not set; name another model in the tool, or ask the administrator`,
    { reason: 'model_price_error', param: 'tools' },
  );

/** Charges what the tool has drawn, as a row of its own, or gives its hold back. Never rejects. */
export const settlePictures = async (deps: SettleDeps, running: Running): Promise<void> => {
  const { pictures: beside, meter } = running;
  const draws = running.asked?.facts.draws;
  if (beside === undefined || draws === undefined || beside.holdState === 'closed') return;
  beside.channel = running.channel;
  beside.decision = running.decision;
  beside.attempts = running.attempts;
  beside.firstByteMs = running.firstByteMs;
  if (meter.pictures > 0 || meter.drawn !== undefined) {
    const { inputTokensEstimate } = known(beside.asked, 'read').facts;
    beside.asked = askedFor(deps, draws, meter.pictures, inputTokensEstimate);
    beside.price = priceOfCall(beside);
    Object.assign(beside.meter, { reported: meter.drawn, produced: true, finished: true });
  }
  await settle(deps, beside);
};
