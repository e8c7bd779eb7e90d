import type { ChatEvent } from '#core/chat/event.ts';
import { completionTokens, type Usage } from '#core/chat/usage.ts';
import { fieldsOf, listOf, parsedFields } from '#core/json/fields.ts';
import { affordedTokens, usageWithin } from '#core/quota/afford.ts';
import { paidAnswers } from '../bill/price/price-of-call.ts';
import { affordOf } from '../bill/hold/afford-of-call.ts';
import { limitsIfLarge } from '../bill/limits-of-call.ts';
import { chargeOf } from '../bill/meter.ts';
import { unitsOf } from '../bill/settle.ts';
import { callerDialect } from '../request/format.ts';
import type { Answered } from '../stages.ts';

// Shortens a whole answer that costs more than its payer has: only the words that are paid go out.

/** The longest beginning of a text that has at most this many bytes and ends with a whole character. */
export const beginningOf = (text: string, bytes: number): string => {
  const all = Buffer.from(text);
  if (all.length <= bytes) return text;
  let end = Math.max(0, bytes);
  while (end > 0 && ((all[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return all.toString('utf8', 0, end);
};

/** How much of an answer is paid. */
interface Paid {
  readonly bytes: number;
  readonly usage: Usage;
}

/**
 * How much of a charged answer is paid; undefined if all of it. An answer that is no longer than its hold assumed is
 * always paid: if the prompt cost more than estimated, no words are withheld for that.
 */
const paidOf = (answered: Answered): Paid | undefined => {
  const { live, request, price, heldUnits } = answered;
  const { meter, chargedUnits } = live;
  const { price: dearest, size, style } = affordOf(answered, price);
  const charge = chargeOf(meter, request.facts, limitsIfLarge(answered));
  if (style !== 'whole' || charge.action === 'void') return undefined;
  const cost = (usage: Usage): number => unitsOf(answered, usage);
  const usage = usageWithin(cost, charge.usage, chargedUnits);
  const asHeld = affordedTokens(dearest, { ...size, leastInputTokens: 0 }, heldUnits) * size.choices;
  const share = Math.max(completionTokens(usage), asHeld) / Math.max(1, completionTokens(charge.usage));
  return share >= 1 ? undefined : { bytes: Math.floor(meter.outputBytes * share), usage };
};

/** The answer as it goes out. If only a part is paid, it is cut as if it had reached its maximum length. */
export const paidWhole = (answered: Answered, bytes: Buffer): Buffer => {
  const { wire, translations, live } = answered;
  if (live.lostUnits === 0) return bytes;
  const paid = paidOf(answered);
  if (paid === undefined) return withPaidPieces(answered, bytes);
  const body = parsedFields(bytes);
  if (body === undefined) return bytes;
  if (!('readWhole' in wire)) return Buffer.from(JSON.stringify(withPaidChoices(body, paid)));
  const events = paidEvents(callerDialect(wire).readWhole(body), paid);
  return Buffer.from(JSON.stringify(callerDialect(wire).writeWhole(events, translations.chatRequest)));
};

/**
 * The words and thoughts that are paid. A part of a tool call, a picture or a sound is of no use, so those are withheld
 * whole.
 */
const paidEvents = (events: readonly ChatEvent[], { bytes, usage }: Paid): readonly ChatEvent[] => {
  let left = bytes;
  const cut = (text: string): string => {
    const kept = beginningOf(text, left);
    left = kept === text ? left - Buffer.byteLength(kept) : 0;
    return kept;
  };
  return events.flatMap((event): readonly ChatEvent[] => {
    switch (event.type) {
      case 'start':
        return [event];
      case 'text-delta': {
        const { logprobs: _, extras: __, ...plain } = event;
        const text = cut(event.text);
        return text === '' ? [] : [{ ...plain, text }];
      }
      case 'refusal-delta':
      case 'reasoning-delta': {
        const text = cut(event.text);
        return text === '' ? [] : [{ type: event.type, choice: event.choice, text }];
      }
      case 'reasoning-end':
        return left > 0 ? [event] : [];
      case 'finish':
        return [{ type: 'finish', choice: event.choice, reason: 'length' }];
      case 'usage':
        return [{ ...event, usage }];
      default:
        return [];
    }
  });
};

/** The same for old completions, which have no messages. */
const withPaidChoices = (body: object, { bytes }: Paid): object => {
  let left = bytes;
  const choices = listOf(fieldsOf(body)['choices']).map((choice) => {
    const { text, ...rest } = fieldsOf(choice);
    const kept = typeof text === 'string' ? beginningOf(text, left) : '';
    left -= Buffer.byteLength(kept);
    return { ...rest, text: kept, logprobs: null, finish_reason: 'length' };
  });
  return { ...body, choices };
};

/**
 * For pictures, and for answers with a price per call, if the upstream made more than were requested: the requested
 * number, and as many more as are paid.
 */
const withPaidPieces = ({ live, request, wire }: Answered, bytes: Buffer): Buffer => {
  const { chargedUnits, lostUnits, meter } = live;
  const asked = paidAnswers(request.facts);
  const made = wire.name === 'openai-images' ? meter.pictures : (meter.ended?.size ?? 0);
  const most = Math.max(asked, Math.floor((made * chargedUnits) / (chargedUnits + lostUnits)));
  const body = made > most ? parsedFields(bytes) : undefined;
  const list = ['data', 'choices', 'candidates'].find((name) => listOf(body?.[name]).length > most);
  if (body === undefined || list === undefined) return bytes;
  return Buffer.from(JSON.stringify({ ...body, [list]: listOf(body[list]).slice(0, most) }));
};
