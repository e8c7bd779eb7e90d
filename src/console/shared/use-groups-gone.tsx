import { type ReactNode, Suspense, useState } from 'react';
import { late } from '../kit/late.tsx';
import { withTexts } from '../lib/text/i18n.ts';
import type { GoneGroup } from './groups-gone-dialog.tsx';

const GroupsGoneDialog = late(
  withTexts('price-form', () => import('./groups-gone-dialog.tsx')),
  ({ onAnswer }) => onAnswer(false),
);

interface Question {
  readonly groups: readonly GoneGroup[];
  readonly answer: (isSure: boolean) => void;
}

interface GroupsGone {
  /**
   * Shows who uses the groups.
   * @returns whether to remove them anyway
   */
  readonly ask: (groups: readonly GoneGroup[]) => Promise<boolean>;
  readonly view: ReactNode;
}

/** Asks before groups in use are removed. */
export const useGroupsGone = (): GroupsGone => {
  const [question, setQuestion] = useState<Question>();
  const ask = (groups: readonly GoneGroup[]): Promise<boolean> =>
    new Promise((resolve) => {
      setQuestion({
        groups,
        answer: (isSure) => {
          setQuestion(undefined);
          resolve(isSure);
        },
      });
    });
  const view = question !== undefined && (
    <Suspense>
      <GroupsGoneDialog groups={question.groups} onAnswer={question.answer} />
    </Suspense>
  );
  return { ask, view };
};
