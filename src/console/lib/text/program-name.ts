import { useTranslation } from './i18n.ts';

const worded = ['browser', 'other', 'playground'] as const;

/** What a calling program is called: most by their own names, some kinds in the reader's language. */
export const useProgramName = (): ((program: string) => string) => {
  const { t } = useTranslation();
  return (program) => {
    const kind = worded.find((one) => one === program);
    return kind === undefined ? program : t(`program.${kind}`);
  };
};
