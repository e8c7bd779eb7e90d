import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { DialectName } from '#core/chat/request.ts';
import type { RelayOperation } from '#core/operation.ts';
import type { RelayCall } from '../relay/ports.ts';
import type { Arrival } from './front-door-deps.ts';
import type { RelayBodies } from './relay-body.ts';
import { NodeReply } from './relay-reply.ts';

/** What a route says of its calls before they are read. */
export interface CallRoute {
  readonly operation: RelayOperation;
  readonly dialect: DialectName;
  readonly playground: boolean;
  readonly pathModel?: string;
  readonly pathStream?: boolean;
  readonly framing?: RelayCall['framing'];
}

/** One request of node's server, as the relay takes it. */
export class NodeCall implements RelayCall {
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
  readonly reply: NodeReply;
  readonly #request: IncomingMessage;
  readonly #bodies: RelayBodies;
  #heldBytes = 0;

  constructor(
    route: CallRoute,
    request: IncomingMessage,
    response: ServerResponse,
    arrival: Arrival,
    path: string,
    query: string,
    bodies: RelayBodies,
  ) {
    this.operation = route.operation;
    this.dialect = route.dialect;
    this.playground = route.playground;
    this.pathModel = route.pathModel;
    this.pathStream = route.pathStream;
    this.framing = route.framing ?? 'events';
    this.headers = request.headers;
    this.queryKey = queryKey(query);
    this.requestId = arrival.requestId;
    this.ip = arrival.ip;
    this.path = path;
    this.reply = new NodeReply(response, arrival.requestId);
    this.#request = request;
    this.#bodies = bodies;
  }

  async readBody(): Promise<Buffer> {
    const bytes = await this.#bodies.read(this.#request);
    this.#heldBytes = bytes.length;
    return bytes;
  }

  /** The call is over: its body no longer counts. */
  readonly release = (): void => this.#bodies.release(this.#heldBytes);
}

/** `?key=`, the place the fourth kind of program puts it. */
export const queryKey = (query: string): string | undefined =>
  query === '' ? undefined : (new URLSearchParams(query).get('key') ?? undefined);
