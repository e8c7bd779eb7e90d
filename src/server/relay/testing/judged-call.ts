import { channelOf } from '#core/channel/testing/channel.ts';
import type { Channel } from '#core/channel/channel.ts';
import { standIn } from '#core/testing/stand-in.ts';
import type { RequestFacts } from '../../dialects/dialect.ts';
import type { Meter } from '../bill/meter.ts';
import type { RelayCall } from '../calls.ts';
import type { Live } from '../live.ts';
import type { CallerRequest } from '../request/request.ts';
import type { Admitted } from '../stages.ts';
import type { SentAs, Destination } from '../destination.ts';

interface JudgedCall {
  readonly facts: RequestFacts;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly meter: Meter;
  readonly upstreamModel?: string;
  readonly setting?: Channel['setting'];
}

/** A chat at a channel of type 1 with just what is read to judge the usage that its upstream reports. */
export const judgedCall = ({
  facts,
  fields,
  meter,
  upstreamModel = facts.model,
  setting = {},
}: JudgedCall): Pick<Admitted, 'call' | 'request' | 'live'> => {
  const channel = channelOf(1, { setting });
  const destination = standIn<Destination>({ channel, sentAs: standIn<SentAs>({ upstreamModel }) });
  return {
    call: standIn<RelayCall>({ operation: 'chat' }),
    request: standIn<CallerRequest>({ facts, fields }),
    live: standIn<Live>({ destination, meter }),
  };
};
