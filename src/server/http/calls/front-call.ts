import type { CallBody } from '../bodies/relay-body.ts';
import type { IncomingHttpHeaders } from 'node:http';
import type { DialectName } from '#core/chat/request.ts';
import type { RelayOperation } from '#core/operation.ts';
import type { RelayCall, Reply, SeenKey } from '../../relay/calls.ts';
import type { Arrival } from '../door/front-door-deps.ts';
import type { Form } from '../../dialects/form/form.ts';

/** What the path of a call states. */
export interface CallRoute {
  readonly operation: RelayOperation;
  readonly dialect: DialectName;
  readonly playground: boolean;
  readonly pathModel?: string;
  readonly pathStream?: boolean;
  readonly framing?: RelayCall['framing'];
}

/** The head of a request, in parts; `query` has no leading `?`. */
export interface CallHead {
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  readonly query: string;
}

/** One request in the form the relay takes, from either HTTP reader. */
export class FrontCall implements RelayCall {
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
  readonly seenKey: SeenKey | undefined;
  readonly reply: Reply;
  readonly #body: CallBody;

  constructor(
    route: CallRoute,
    arrival: Arrival,
    { headers, path, query }: CallHead,
    body: CallBody,
    reply: Reply,
  ) {
    this.operation = route.operation;
    this.dialect = route.dialect;
    this.playground = route.playground;
    this.pathModel = route.pathModel;
    this.pathStream = route.pathStream;
    this.framing = route.framing ?? 'events';
    this.headers = headers;
    this.queryKey = queryKey(query);
    this.requestId = arrival.requestId;
    this.ip = arrival.ip;
    this.path = path;
    this.seenKey = arrival.visitor.seenKey;
    this.reply = reply;
    this.#body = body;
  }

  readBody(userId: number): Promise<Buffer> {
    return this.#body.read(userId);
  }

  readForm(userId: number, mayComeOn: boolean): Promise<Form> {
    return this.#body.readForm(userId, mayComeOn);
  }
}

/** `?key=`, one of the two places where Gemini's clients put their key (ai.google.dev/api). */
export const queryKey = (query: string): string | undefined =>
  query === '' ? undefined : (new URLSearchParams(query).get('key') ?? undefined);
