import { WebSocket } from 'ws';

export type Event = Readonly<Record<string, unknown>>;

/** A caller of `/v1/responses` over a WebSocket. */
export interface SocketCaller {
  readonly socket: WebSocket;
  /** Ends the sending half of the connection without a closing frame. */
  endSending(): void;
  send(event: object | string): void;
  /** Waits for the next event; `undefined` once the connection is closed. */
  next(): Promise<Event | undefined>;
  /** Collects the events until one that ends a response, or an error. */
  turn(): Promise<readonly Event[]>;
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
}

const ENDS = new Set<unknown>(['response.completed', 'response.incomplete', 'response.failed', 'error']);

/** Opens a connection. Throws the HTTP status if the server refuses the WebSocket. */
export const openCaller = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  protocols: string[] = [],
): Promise<SocketCaller> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/responses`, protocols, { headers });
  let endSending: () => void = () => undefined;
  socket.once('upgrade', ({ socket: connection }) => (endSending = () => connection.end()));
  const events: Event[] = [];
  let wake: () => void = () => undefined;
  let isClosed = false;
  socket.on('message', (data: Buffer) => {
    events.push(JSON.parse(data.toString()) as Event);
    wake();
  });
  const closed = new Promise<number>((resolve) =>
    socket.on('close', (code) => {
      isClosed = true;
      wake();
      resolve(code);
    }),
  );
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('unexpected-response', (_, response) => reject(new Error(String(response.statusCode))));
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  const next = async (): Promise<Event | undefined> => {
    while (events.length === 0 && !isClosed) await new Promise<void>((resolve) => (wake = resolve));
    return events.shift();
  };
  return {
    socket,
    endSending: () => endSending(),
    send: (event) => socket.send(typeof event === 'string' ? event : JSON.stringify(event)),
    next,
    async turn() {
      const heard: Event[] = [];
      for (let event = await next(); event !== undefined; event = await next()) {
        heard.push(event);
        if (ENDS.has(event['type'])) break;
      }
      return heard;
    },
    closed,
  };
};
