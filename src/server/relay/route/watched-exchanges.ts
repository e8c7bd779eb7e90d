import { carriesCredentials } from '#core/channel/channel-secrets.ts';
import type { TestExchange } from '#core/channel/channel-test.ts';
import type { Clock } from '#core/clock.ts';
import type { ConnectSocket } from '#core/outbound/message-socket.ts';
import type { OutboundBody, OutboundReply, OutboundRequest, Sender } from '#core/outbound/outbound.ts';
import type { OutboundProxy } from '#core/outbound/outbound-proxy.ts';
import type { Secrets } from '#core/secrets/secrets.ts';
import type { Upstream } from '../../dialects/upstream.ts';

const SHOWN_BYTES = 16 * 1024;
/** The bytes recorded beyond the shown length until secrets are masked, because a secret may stand at the cut. */
const BEYOND_BYTES = 8 * 1024;
const STARS = '***';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: OutboundRequest['body'];
  readonly proxy: OutboundProxy | undefined;
  readonly startedMs: number;
  reply: Pick<OutboundReply, 'status' | 'headers'> | undefined;
  headMs: number | undefined;
  readonly pieces: Buffer[];
  bytes: number;
}

/**
 * Records what is sent and received, up to the shown length. Requests that only fetch credentials are not recorded,
 * because they consist of secrets.
 */
export class WatchedExchanges {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #seen: Seen[] = [];
  #isProving = false;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  sender(sender: Pick<Sender, 'send'>): Pick<Sender, 'send'> {
    return {
      send: async (request, signal) => {
        if (this.#isProving) return sender.send(request, signal);
        const seen = this.#begin(request);
        const reply = await sender.send(request, signal);
        seen.headMs = this.#clock.monotonic() - seen.startedMs;
        seen.reply = reply;
        return { ...reply, body: kept(reply.body, seen) };
      },
    };
  }

  connect(connect: ConnectSocket): ConnectSocket {
    return async (request, signal) => {
      const seen = this.#begin({ ...request, method: 'GET' });
      const socket = await connect(request, signal);
      seen.headMs = this.#clock.monotonic() - seen.startedMs;
      seen.reply = { status: 101, headers: {} };
      return socket;
    };
  }

  upstream(upstream: Upstream): Upstream {
    if (upstream.authorize === undefined) return upstream;
    const authorize = upstream.authorize.bind(upstream);
    return {
      ...upstream,
      authorize: async (...asked) => {
        this.#isProving = true;
        try {
          return await authorize(...asked);
        } finally {
          this.#isProving = false;
        }
      },
    };
  }

  /** Returns all exchanges in order, with secrets and credentials masked. */
  shown(secrets: Secrets): TestExchange[] {
    return this.#seen.map((seen) => ({
      method: seen.method,
      url: shownUrl(seen.url, secrets),
      proxy: seen.proxy?.address,
      headers: shownHeaders(seen.headers, secrets),
      body: shownText(seen.body, secrets),
      status: seen.reply?.status ?? 0,
      headMs: seen.headMs,
      replyHeaders: shownHeaders(seen.reply?.headers ?? {}, secrets),
      reply: shownText(Buffer.concat(seen.pieces), secrets),
      replyBytes: seen.bytes,
    }));
  }

  #begin({ method, url, headers, body, proxy }: OutboundRequest): Seen {
    const startedMs = this.#clock.monotonic();
    const began = { startedMs, reply: undefined, headMs: undefined, pieces: [], bytes: 0 };
    const seen: Seen = { method, url, headers, body, proxy, ...began };
    this.#seen.push(seen);
    return seen;
  }
}

const kept = (body: OutboundBody, seen: Seen): OutboundBody => ({
  async *[Symbol.asyncIterator]() {
    for await (const piece of body) {
      if (seen.bytes < SHOWN_BYTES + BEYOND_BYTES) seen.pieces.push(Buffer.from(piece));
      seen.bytes += piece.length;
      yield piece;
    }
  },
  discard: () => body.discard(),
});

/** An address without credentials. */
export const shownUrl = (address: string, secrets: Secrets): string => {
  const url = new URL(address);
  for (const name of url.searchParams.keys()) if (carriesCredentials(name)) url.searchParams.set(name, STARS);
  return secrets.maskText(url.href);
};

/** Headers with their credentials masked. */
export const shownHeaders = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  secrets: Secrets,
): Record<string, string> => {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    shown[name] = carriesCredentials(name) ? STARS : secrets.maskText([value].flat().join(', '));
  }
  return shown;
};

/** A form is not shown, because its files are not in memory. */
export const shownText = (body: OutboundRequest['body'], secrets: Secrets): string => {
  if (body === undefined || (typeof body === 'object' && !Buffer.isBuffer(body))) return '';
  return secrets.maskText(body.toString()).slice(0, SHOWN_BYTES);
};
