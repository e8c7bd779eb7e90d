import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type Carried, join, type ProxyState, USER } from './proxy-state.ts';

const NONE_ACCEPTABLE = 0xff;
const NOT_ALLOWED = 2;
const HOST_UNREACHABLE = 4;
/** The address it connected from, which nobody reads. */
const BOUND = [0, 1, 0, 0, 0, 0, 0, 0];

/** Reads exactly this many bytes. Throws where the other end has closed. */
const take = async (socket: Socket, count: number): Promise<Buffer> => {
  for (;;) {
    const bytes = socket.read(count) as Buffer | null;
    if (bytes !== null) return bytes;
    if (socket.readableEnded || socket.destroyed) throw new Error('gone');
    await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
  }
};

const takeText = async (socket: Socket): Promise<string> => {
  const [length = 0] = await take(socket, 1);
  return length === 0 ? '' : (await take(socket, length)).toString();
};

const takeAddress = async (socket: Socket, kind: number): Promise<string> => {
  if (kind === 3) return takeText(socket);
  const bytes = await take(socket, kind === 1 ? 4 : 16);
  if (kind === 1) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16));
  return `[${groups.join(':')}]`;
};

/** The server's side of RFC 1928 and RFC 1929. */
export const serveSocks = async (
  socket: Socket,
  state: ProxyState,
  carry: (asked: Carried) => Promise<Socket | undefined>,
): Promise<void> => {
  try {
    const [, count = 0] = await take(socket, 2);
    const methods = await take(socket, count);
    if (state.fault === 'hang') return;
    if (state.fault === 'close') return void socket.destroy();
    if (state.fault === 'nonsense') return void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    const user = await identify(socket, state, methods);
    if (user === undefined) return;
    const [, , , kind = 0] = await take(socket, 4);
    const host = await takeAddress(socket, kind);
    const port = (await take(socket, 2)).readUInt16BE();
    if (state.fault === 'refuse') return void socket.end(Buffer.from([5, NOT_ALLOWED, ...BOUND]));
    const upstream = await carry({ protocol: 'socks5', target: `${host}:${port}`, user });
    if (upstream === undefined) return void socket.end(Buffer.from([5, HOST_UNREACHABLE, ...BOUND]));
    socket.write(Buffer.from([5, 0, ...BOUND, ...(state.fault === 'chatter' ? [72, 84] : [])]));
    join(socket, upstream);
  } catch {
    socket.destroy();
  }
};

/** The authenticated user; undefined where authentication failed. */
const identify = async (socket: Socket, state: ProxyState, methods: Buffer): Promise<string | undefined> => {
  if (state.password === '') {
    socket.write(Buffer.from([5, 0]));
    return '';
  }
  if (!methods.includes(2)) {
    socket.end(Buffer.from([5, NONE_ACCEPTABLE]));
    return undefined;
  }
  socket.write(Buffer.from([5, 2]));
  await take(socket, 1);
  const user = await takeText(socket);
  const isRight = user === USER && (await takeText(socket)) === state.password;
  socket.write(Buffer.from([1, isRight ? 0 : 1]));
  if (!isRight) socket.end();
  return isRight ? user : undefined;
};
