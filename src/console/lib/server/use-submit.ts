import { useState } from 'react';
import { messageOf, refusedField } from './api-error.ts';

/** Loaded when something is wrong, because every visitor loads this file. */
const showWrong = async (): Promise<void> => {
  const { showFirstError } = await import('../browser/show-first-error.ts');
  showFirstError();
};

interface Submit {
  /** Runs the work unless it is already running; an error becomes `problem`, or is said at the field it is about. */
  readonly submit: (work: () => Promise<void>) => void;
  readonly isBusy: boolean;
  /** The error to show above the form. */
  readonly problem: string | undefined;
  readonly setProblem: (text: string | undefined) => void;
  /** Says at a field what is wrong with it, and brings it into focus. */
  readonly refuse: (field: string, text: string) => void;
  /** The error of a field, which was named to the hook. */
  readonly at: (field: string) => string | undefined;
}

/**
 * Submits a small form outside the console, where the query client is not loaded.
 * @param fields those of the form, by their names in the API
 */
export const useSubmit = (fields: readonly string[] = []): Submit => {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [wrong, setWrong] = useState<{ readonly field: string; readonly text: string }>();
  const refuse = (field: string, text: string): void => {
    setProblem(undefined);
    setWrong({ field, text });
    // Without it the field is marked all the same.
    showWrong().catch(() => undefined);
  };
  const fail = (error: unknown): void => {
    const field = refusedField(error, fields);
    if (field === undefined) setProblem(messageOf(error));
    else refuse(field, messageOf(error));
  };
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    setWrong(undefined);
    await work().catch(fail);
    setBusy(false);
  };
  return {
    submit: (work) => {
      if (!isBusy) void run(work);
    },
    isBusy,
    problem,
    setProblem: (text) => {
      setWrong(undefined);
      setProblem(text);
    },
    refuse,
    at: (field) => (wrong?.field === field ? wrong.text : undefined),
  };
};
