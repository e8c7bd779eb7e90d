import type { ChannelTestReport } from '#contract/api/channels/channel-test-report.ts';
import { useEffect, useRef, useState } from 'react';
import { ApiError, messageOf } from '../../../lib/server/api-error.ts';
import { queryClient } from '../../../lib/server/query.ts';
import { runBatch } from '../../../lib/server/run-batch.ts';
import { probeChannel, type Probed } from '../channel-calls.ts';
import { CHANNELS, type Channel } from '../channel.ts';
import { reportIn } from './test-report.ts';

/** How far the test of one model is. */
export type ModelTest =
  | { readonly state: 'waiting' | 'running' }
  | ({ readonly state: 'passed' } & Probed)
  | { readonly state: 'failed'; readonly message: string; readonly report: ChannelTestReport | undefined };

type Results = ReadonlyMap<string, ModelTest>;

interface ModelTests {
  readonly results: Results;
  readonly isRunning: boolean;
  readonly progress: { readonly total: number; readonly done: number; readonly passed: number };
  readonly run: (models: readonly string[], stream: boolean) => Promise<void>;
  /** Running tests finish, waiting ones are dropped. */
  readonly stop: () => void;
}

/** Tests of a channel's models, a few at once. Closing the dialog stops them. */
export const useModelTests = (channel: Channel): ModelTests => {
  const [results, setResults] = useState<Results>(new Map());
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);

  const write = (changes: readonly (readonly [string, ModelTest])[]): void =>
    setResults((before) => new Map([...before, ...changes]));

  const test = async (model: string, stream: boolean): Promise<void> => {
    write([[model, { state: 'running' }]]);
    try {
      write([[model, { state: 'passed', ...(await probeChannel(channel.id, model, stream)) }]]);
    } catch (error) {
      const report = error instanceof ApiError ? reportIn(error.beside) : undefined;
      write([[model, { state: 'failed', message: messageOf(error), report }]]);
    }
  };
  const run = async (models: readonly string[], stream: boolean): Promise<void> => {
    if (abort.current.signal.aborted) abort.current = new AbortController();
    const { signal } = abort.current;
    write(models.map((model) => [model, { state: 'waiting' }]));
    const act = (model: string): Promise<void> => test(model, stream);
    await runBatch({ items: models, nameOf: (model) => model, act, onStep: () => undefined, signal });
    // Others may wait for a run of their own.
    const isDropped = ([model, { state }]: readonly [string, ModelTest]): boolean =>
      state === 'waiting' && models.includes(model);
    setResults((before) => new Map([...before].filter((entry) => !isDropped(entry))));
    await queryClient.invalidateQueries({ queryKey: [CHANNELS] });
  };
  const all = [...results.values()];
  const isBusy = all.some(({ state }) => state === 'running' || state === 'waiting');
  return {
    results,
    isRunning: isBusy,
    progress: {
      total: all.length,
      done: all.filter(({ state }) => state === 'passed' || state === 'failed').length,
      passed: all.filter(({ state }) => state === 'passed').length,
    },
    run,
    stop: () => abort.current.abort(),
  };
};
