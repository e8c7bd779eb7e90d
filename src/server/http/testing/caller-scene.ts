import { afterAll, beforeAll } from 'vitest';
import { openScene, type Scene, type Spender } from './scene.ts';
import { type SmallUpstream, startSmallUpstream } from './small-upstream.ts';

/** A scene with one caller and one small upstream, open during the tests of a file. It has no channel yet. */
export const callerScene = (quotaUnits = 100_000_000) => {
  let upstream: SmallUpstream;
  let scene: Scene;
  let alice: Spender;
  beforeAll(async () => {
    upstream = await startSmallUpstream();
    scene = await openScene();
    alice = await scene.spender('alice', quotaUnits);
  });
  afterAll(async () => {
    await scene.close();
    await upstream.close();
  });
  return {
    get upstream() {
      return upstream;
    },
    get scene() {
      return scene;
    },
    get alice() {
      return alice;
    },
    /** Calls the relay with the caller's key, with JSON (as a value or text), bytes, or a form. */
    post: (
      path: string,
      body: object | string,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<Response> => {
      const isForm = body instanceof FormData;
      const isReady = isForm || typeof body === 'string' || Buffer.isBuffer(body);
      return fetch(`${scene.server.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer sk-${alice.key}`,
          ...(!isForm && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: isReady ? body : JSON.stringify(body),
      });
    },
  };
};
