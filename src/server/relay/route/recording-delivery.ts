import { secretsSent } from '#core/channel/channel-secrets.ts';
import type { DeliveryDeps } from '#core/delivery.ts';
import type { GiveUpSignal } from '#core/outbound/give-up.ts';
import type { OutboundReply, OutboundRequest } from '#core/outbound/outbound.ts';
import { joined } from '#core/read-all.ts';
import type { AnswerShare } from '../answer/answer-room.ts';
import type { LiveAttempt } from '../live-attempt.ts';

/**
 * Records every credential sent with the request, which may be more than the key, to mask them all in answers; and what
 * the upstream has done of a delivery that fails.
 */
export class RecordingDelivery implements DeliveryDeps {
  readonly #deps: DeliveryDeps;
  readonly #attempt: LiveAttempt;
  readonly #room: AnswerShare;

  constructor(deps: DeliveryDeps, attempt: LiveAttempt, room: AnswerShare) {
    this.#deps = deps;
    this.#attempt = attempt;
    this.#room = room;
  }

  get clock(): DeliveryDeps['clock'] {
    return this.#deps.clock;
  }

  get sender(): DeliveryDeps['sender'] {
    return this;
  }

  send(request: OutboundRequest, signal?: GiveUpSignal): Promise<OutboundReply> {
    this.#note(request);
    return this.#deps.sender.send(request, signal);
  }

  get readWhole(): DeliveryDeps['readWhole'] {
    return async (body) => joined(await this.#room.read(body));
  }

  get noteWork(): DeliveryDeps['noteWork'] {
    return (answered = {}) => {
      this.#attempt.unfinished = answered;
    };
  }

  get connectSocket(): DeliveryDeps['connectSocket'] {
    const { connectSocket } = this.#deps;
    if (connectSocket === undefined) return undefined;
    return (request, signal) => {
      this.#note(request);
      this.#attempt.isSent = true;
      return connectSocket(request, signal);
    };
  }

  #note(request: Pick<OutboundRequest, 'url' | 'headers'>): void {
    const { destination } = this.#attempt;
    const secrets = secretsSent(destination.channel, request);
    if (secrets !== destination.secrets) this.#attempt.destination = { ...destination, secrets };
  }
}
