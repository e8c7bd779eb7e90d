import type { Channel } from '#core/channel/channel.ts';
import type { WordCheck } from '#core/words/check-words.ts';
import { loadFiles } from '../dialects/form.ts';
import { checkPrompt } from './admit.ts';
import type { RelayDeps, Upstream } from './ports.ts';
import { readFormRequest } from './read-request.ts';
import { known, type Running } from './running.ts';

/**
 * Where a form is still coming: what stands behind its file counts as well, once it is there. Until then the end of the
 * form is not sent, so that no upstream begins with it.
 */
export const followForm = (
  deps: Pick<RelayDeps, 'log'> & { readonly checkWords: WordCheck },
  running: Running,
): void => {
  const whole = known(running.asked, 'read').form?.whole;
  if (whole === undefined) return;
  running.isWhole = whole.then((form) => {
    running.asked = readFormRequest(running.call, running.wire, form);
    checkPrompt(deps, running);
  });
  // Whoever sends it is told; after the call nobody is left to be.
  running.isWhole.catch(() => undefined);
};

/** Waits for a form that this channel does not take as it comes; its files are in memory where they go into JSON. */
export const formFor = async (running: Running, upstream: Upstream, channel: Channel): Promise<void> => {
  const isJson = upstream.formsAsJson?.includes(running.call.operation) === true;
  // Fields of the operator's might come once more behind the file.
  if (isJson || Object.keys(channel.paramOverride).length > 0) await running.isWhole;
  const { form } = known(running.asked, 'read');
  if (isJson && form !== undefined) running.files ??= await loadFiles(form);
};
