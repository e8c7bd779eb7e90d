import { type JsonFields, numberOf, objectOf, textOf } from './json-fields.ts';

/** In US dollars: the cost of staying, of moving, and of the uncached prompt as a part of moving. */
interface MoveFacts {
  readonly stayUsd: number;
  readonly moveUsd: number;
  readonly coldUsd: number;
}

/** The session of a call: what identified it, the channel it was bound to (0: none yet), and why it moved. */
export interface SessionFacts {
  readonly from: string;
  readonly boundTo: number;
  /** Empty if it stayed. */
  readonly passedOver: string;
  /** The expected cost of the rest of a session that moved to a cheaper channel. */
  readonly moved: MoveFacts | undefined;
}

export const readSession = (fields: JsonFields | undefined): SessionFacts | undefined =>
  fields && {
    from: textOf(fields, 'from'),
    boundTo: numberOf(fields, 'bound_to') ?? 0,
    passedOver: textOf(fields, 'passed_over'),
    moved: readMove(objectOf(fields, 'moved')),
  };

const readMove = (fields: JsonFields | undefined): MoveFacts | undefined =>
  fields && {
    stayUsd: numberOf(fields, 'stay_usd') ?? 0,
    moveUsd: numberOf(fields, 'move_usd') ?? 0,
    coldUsd: numberOf(fields, 'cold_usd') ?? 0,
  };
