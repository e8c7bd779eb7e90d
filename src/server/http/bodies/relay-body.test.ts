import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { CountedBody, RelayBodies } from './relay-body.ts';

/** A request whose caller sends only `sent` of a longer body and then leaves. */
const leftBy = async (
  sent: string,
  read: (request: IncomingMessage) => Promise<unknown>,
): Promise<unknown> => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n${sent}`);
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  const reading = read(request);
  socket.destroy();
  const outcome = await reading.catch((thrown: unknown) => thrown);
  server.close();
  return outcome;
};

it('a caller that goes away is noticed, whether its body is being read yet or not', async () => {
  const bodies = new RelayBodies();
  const read = (request: IncomingMessage): Promise<unknown> => {
    const body = new CountedBody(bodies, request, { addressKey: '::1', visitor: { isKnown: false } });
    return body.read(1).finally(() => body.release());
  };
  expect(await leftBy('half of it', read)).toMatchObject({
    code: 'client_closed',
  });
  const late = async (request: IncomingMessage): Promise<unknown> => {
    await new Promise((resolve) => request.once('close', resolve));
    return read(request);
  };
  expect(await leftBy('half of it', late)).toMatchObject({ code: 'client_closed' });
  expect(bodies.memory.owners).toBe(0);
});
