import type { IncomingHttpHeaders } from 'node:http';
import type { DialectName } from '#core/chat/request.ts';
import type { RelayOperation } from '#core/operation.ts';
import type { RelayCall, Reply } from '../relay/ports.ts';
import type { Arrival } from './front-door-deps.ts';
import type { Form } from '../dialects/form.ts';

/** What a route says of its calls before they are read. */
export interface CallRoute {
  readonly operation: RelayOperation;
  readonly dialect: DialectName;
  readonly playground: boolean;
  readonly pathModel?: string;
  readonly pathStream?: boolean;
  readonly framing?: RelayCall['framing'];
}

/** The body of a request, read once. What it holds counts for a user and an address until `release`. */
export interface CallBody {
  read(userId: number): Promise<Buffer>;
  readForm(userId: number, mayComeOn: boolean): Promise<Form>;
  release(): void;
}

/** One request as the relay takes it, whoever reads it. */
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
  readonly reply: Reply;
  readonly #body: CallBody;

  // Positional, and no object around them: one is made for every call.
  constructor(
    route: CallRoute,
    arrival: Arrival,
    headers: IncomingHttpHeaders,
    path: string,
    query: string,
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
