import type { IncomingHttpHeaders } from 'node:http';
import type { DialectName } from '#core/chat/request.ts';
import type { RelayOperation } from '#core/operation.ts';
import type { RelayCall } from '../../relay/ports.ts';
import type { Arrival } from '../front-door-deps.ts';
import { type CallRoute, queryKey } from '../relay-call.ts';
import type { LaneHead } from './lane-head.ts';
import type { LaneReply } from './lane-reply.ts';

/** A call that came whole. */
export class LaneCall implements RelayCall {
  readonly operation: RelayOperation;
  readonly dialect: DialectName;
  readonly playground: boolean;
  readonly pathModel: string | undefined;
  readonly pathStream: boolean | undefined;
  readonly framing: RelayCall['framing'];
  readonly headers: IncomingHttpHeaders;
  readonly queryKey: string | undefined;
  readonly requestId: string;
  readonly ip: string;
  readonly path: string;
  readonly reply: LaneReply;
  readonly #body: Buffer;

  constructor(
    route: CallRoute,
    head: LaneHead,
    body: Buffer,
    arrival: Arrival,
    path: string,
    query: string,
    reply: LaneReply,
  ) {
    this.operation = route.operation;
    this.dialect = route.dialect;
    this.playground = route.playground;
    this.pathModel = route.pathModel;
    this.pathStream = route.pathStream;
    this.framing = route.framing ?? 'events';
    this.headers = head.headers;
    this.queryKey = queryKey(query);
    this.requestId = arrival.requestId;
    this.ip = arrival.ip;
    this.path = path;
    this.reply = reply;
    this.#body = body;
  }

  readBody(): Promise<Buffer> {
    return Promise.resolve(this.#body);
  }
}
