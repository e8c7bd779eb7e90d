import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { hangUp, listening } from './testing/local-server.ts';
import { createSender } from './send.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a kept connection holds no reference to the calls it carried, not even to the first', async () => {
  const connections = new Set<unknown>();
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    connections.add(request.socket);
    request.resume();
    request.on('end', () => response.end('x'));
  });
  await listening(server);
  const { port } = server.address() as AddressInfo;
  const sender = createSender({ allowAddress: () => true });
  const gone = new Set<string>();
  const registry = new FinalizationRegistry<string>((name) => gone.add(name));
  const call = async (name: string): Promise<void> => {
    const body = Buffer.alloc(100_000);
    registry.register(body, name);
    const reply = await sender.send({ method: 'POST', url: `http://127.0.0.1:${port}/`, headers: {}, body });
    for await (const piece of reply.body) expect(piece.toString()).toBe('x');
  };
  for (const name of ['first', 'second', 'third']) await call(name);
  await vi.waitFor(
    () => {
      collectGarbage();
      expect([...gone].toSorted()).toEqual(['first', 'second', 'third']);
    },
    { timeout: 20_000, interval: 20 },
  );
  expect(connections.size).toBe(1);
  await sender.close();
  hangUp(server);
});
