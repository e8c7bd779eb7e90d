import { secretsSent } from '#core/channel/channel-secrets.ts';
import type { DeliveryDeps } from '#core/delivery.ts';
import type { OutboundRequest } from '#core/outbound/outbound.ts';
import { joined } from '#core/read-all.ts';
import type { AnswerShare } from '../answer/answer-room.ts';
import type { LiveAttempt } from '../live-attempt.ts';

/** Records every credential sent with the request, which may be more than the key, to mask them all in answers. */
export const recordingDelivery = (
  deps: DeliveryDeps,
  attempt: LiveAttempt,
  room: AnswerShare,
): DeliveryDeps => {
  const { destination } = attempt;
  const note = (request: Pick<OutboundRequest, 'url' | 'headers'>): void => {
    attempt.destination = { ...destination, secrets: secretsSent(destination.channel, request) };
  };
  const { clock, sender, connectSocket } = deps;
  return {
    clock,
    readWhole: async (body) => joined(await room.read(body)),
    sender: {
      send(request, signal) {
        note(request);
        return sender.send(request, signal);
      },
    },
    ...(connectSocket !== undefined && {
      connectSocket(request, signal) {
        note(request);
        attempt.isSent = true;
        return connectSocket(request, signal);
      },
    }),
  };
};
