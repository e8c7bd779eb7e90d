import { useTranslation } from './i18n.ts';

const worded = ['browser', 'other', 'playground'] as const;

/** The display name of a calling program: mostly its own name, for some kinds translated. */
export const useProgramName = (): ((program: string) => string) => {
  const { t } = useTranslation();
  return (program) => {
    const kind = worded.find((one) => one === program);
    return kind === undefined ? program : t(`program.${kind}`);
  };
};
