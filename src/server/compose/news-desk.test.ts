import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { NewsCarrier, NewsItem } from '#core/news.ts';
import { keptLog } from '../http/testing/test-config.ts';
import { Line } from './line.ts';
import { joinNodesNews, NewsDesk } from './news-desk.ts';

type Offers = { readonly news: (items: readonly NewsItem[]) => void };

/** Two desks as two threads have them: what crosses is copied. */
const joined = (main: NewsDesk, further: NewsDesk) => {
  const { port1, port2 } = new MessageChannel();
  const toFurther: Line<Offers> = new Line(port1, { news: (items: never) => ofFurther.deliver(items) });
  const toMain: Line<Offers> = new Line(port2, { news: (items: never) => ofMain.deliver(items) });
  const ofFurther = main.join((items) => toFurther.tell('news', [items]));
  const ofMain = further.join((items) => toMain.tell('news', [items]));
  return {
    leave: ofFurther.leave,
    close: () => {
      port1.close();
      port2.close();
    },
  };
};

const desks = (count: number) => Array.from({ length: count }, () => new NewsDesk(keptLog())) as NewsDesk[];
const heardBy = (desk: NewsDesk | undefined): string[] => {
  const heard: string[] = [];
  desk?.hear('t', (body) => heard.push(body));
  return heard;
};

/** A way to nodes that keeps what is sent and lets others be heard. */
const keptCarrier = () => {
  const sent: string[] = [];
  let say: (batch: string) => void = () => undefined;
  let isBroken = false;
  const carrier: NewsCarrier = {
    batchBytesMax: 7900,
    send: async (batches) => {
      if (isBroken) throw new Error('broken');
      sent.push(...batches);
    },
    hear: (listener) => void (say = listener),
    close: async () => undefined,
  };
  return { carrier, sent, say: (batch: string) => say(batch), break: (is: boolean) => void (isBroken = is) };
};

describe('news between threads', () => {
  it('reach every other relay once, in order, and not the one that tells', async () => {
    const [main, one, other] = desks(3);
    if (main === undefined || one === undefined || other === undefined) throw new Error('no desks');
    const lines = [joined(main, one), joined(main, other)];
    const heard = [main, one, other].map(heardBy);
    one.tell('t', 'from one');
    one.tell('t', 'and again');
    one.tell('another topic', 'nobody listens');
    await expect.poll(() => heard).toEqual([['from one', 'and again'], [], ['from one', 'and again']]);
    main.tell('t', 'from main');
    await expect.poll(() => heard.map((bodies) => bodies.length)).toEqual([2, 1, 3]);
    lines.forEach((line) => line.close());
  });

  it('reach neither a relay that is gone nor one that stopped listening', async () => {
    const [main, one, other] = desks(3);
    if (main === undefined || one === undefined || other === undefined) throw new Error('no desks');
    const lines = [joined(main, one), joined(main, other)];
    const [ofOne, ofOther] = [heardBy(one), heardBy(other)];
    const ofMain: string[] = [];
    const stop = main.hear('t', (body) => ofMain.push(body));
    lines[0]?.leave();
    stop();
    other.tell('t', 'a');
    main.tell('t', 'b');
    await expect.poll(() => ofOther).toEqual(['b']);
    expect([ofOne, ofMain]).toEqual([[], []]);
    lines.forEach((line) => line.close());
  });

  it('a listener that fails keeps nothing from the others and is logged', () => {
    const log = keptLog();
    const desk = new NewsDesk(log);
    desk.hear('t', () => {
      throw new Error('cannot read this');
    });
    const heard = heardBy(desk);
    desk.join(() => undefined).deliver([{ topic: 't', body: 'still heard' }]);
    expect(heard).toEqual(['still heard']);
    expect(log.lines.join()).toContain('could not be used');
  });
});

describe('news between nodes', () => {
  it('are sent together, never back to their sender, and reach every thread of the other nodes', async () => {
    const [main, further] = desks(2);
    if (main === undefined || further === undefined) throw new Error('no desks');
    const line = joined(main, further);
    const nodes = keptCarrier();
    const both = joinNodesNews(main, nodes.carrier);
    const [ofMain, ofFurther] = [heardBy(main), heardBy(further)];
    for (let at = 0; at < 50; at++) main.tell('t', String(at));
    await expect.poll(() => nodes.sent.length).toBe(1);
    await expect.poll(() => ofFurther.length).toBe(50);
    nodes.say('["t","from a node"]');
    expect(ofMain).toEqual(['from a node']);
    await expect.poll(() => ofFurther.at(-1)).toBe('from a node');
    expect(nodes.sent).toHaveLength(1);
    await both.close();
    line.close();
  });

  it('sent while the connection was broken are lost; later ones arrive', async () => {
    const desk = new NewsDesk(keptLog());
    const nodes = keptCarrier();
    const both = joinNodesNews(desk, nodes.carrier);
    nodes.break(true);
    const wayOf = heardByNeighbour(desk);
    desk.tell('t', 'lost');
    await expect.poll(() => wayOf).toEqual(['lost']);
    nodes.break(false);
    desk.tell('t', 'arrives');
    await expect.poll(() => nodes.sent).toEqual(['["t","arrives"]']);
    await both.close();
  });

  it('that are too long to be sent keep no later ones back', async () => {
    const desk = new NewsDesk(keptLog());
    const nodes = keptCarrier();
    const both = joinNodesNews(desk, nodes.carrier);
    const passed: number[] = [];
    desk.join((items) => passed.push(items.length));
    // Too long as characters, and only as bytes.
    const bodies = ['x'.repeat(5000), '长'.repeat(1400), 'arrives'];
    for (const [at, body] of bodies.entries()) {
      desk.tell('t', body);
      await expect.poll(() => passed).toEqual([0, 1, 1].slice(0, at + 1));
    }
    await expect.poll(() => nodes.sent).toEqual(['["t","arrives"]']);
    await both.close();
  });
});

/** What goes out, to know when it has. */
const heardByNeighbour = (desk: NewsDesk): string[] => {
  const bodies: string[] = [];
  desk.join((items) => bodies.push(...items.map(({ body }) => body)));
  return bodies;
};
