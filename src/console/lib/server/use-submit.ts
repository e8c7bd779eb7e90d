import { useState } from 'react';
import { messageOf } from './api-error.ts';

interface Submit {
  /** Runs the work unless it is already running; an error becomes `problem`. */
  readonly submit: (work: () => Promise<void>) => void;
  readonly isBusy: boolean;
  /** The error to show above the form. */
  readonly problem: string | undefined;
  readonly setProblem: (text: string | undefined) => void;
}

/** Submits a small form outside the console, where the query client is not loaded. */
export const useSubmit = (): Submit => {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    await work().catch((error: unknown) => setProblem(messageOf(error)));
    setBusy(false);
  };
  return {
    submit: (work) => {
      if (!isBusy) void run(work);
    },
    isBusy,
    problem,
    setProblem,
  };
};
