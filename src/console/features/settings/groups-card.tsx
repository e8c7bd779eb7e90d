import { useState } from 'react';
import { readGroupUse } from '#contract/api/site/names.ts';
import { parsed } from '#contract/json-text.ts';
import { call } from '../../lib/server/api.ts';
import { messageOf } from '../../lib/server/api-error.ts';
import type { CardId, SettingCard } from '../../lib/setting-cards.ts';
import { toast } from '../../lib/toasts.ts';
import { type GoneGroup, GroupsGoneDialog } from './groups-gone-dialog.tsx';
import { OptionCard } from './option-card.tsx';
import type { Settings } from './use-settings.ts';

interface GroupsCardProps {
  readonly card: SettingCard & { readonly id: CardId };
  readonly settings: Settings;
}

interface Question {
  readonly groups: readonly GoneGroup[];
  readonly answer: (isSure: boolean) => void;
}

const namesIn = (text: string | undefined): readonly string[] | undefined => {
  const table = parsed(text ?? '{}');
  return typeof table === 'object' && table !== null ? Object.keys(table) : undefined;
};

/** The groups and what they cost. Before one that is in use is removed, it says by whom. */
export const GroupsCard = ({ card, settings }: GroupsCardProps) => {
  const [question, setQuestion] = useState<Question>();
  const isSure = async (): Promise<boolean> => {
    const after = namesIn(settings.text('GroupRatio'));
    // What is no table removes no group: saving it says what is wrong.
    if (after === undefined) return true;
    const gone = (namesIn(settings.saved.get('GroupRatio')) ?? []).filter((name) => !after.includes(name));
    let groups: readonly GoneGroup[];
    try {
      groups = await Promise.all(
        gone.map(async (name) => ({ name, ...(await call(readGroupUse, { query: { name } })) })),
      );
    } catch (error) {
      toast('bad', messageOf(error));
      return false;
    }
    const used = groups.filter(({ users, tokens, channels }) => users + tokens + channels > 0);
    if (used.length === 0) return true;
    return new Promise((resolve) => {
      setQuestion({
        groups: used,
        answer: (yes) => {
          setQuestion(undefined);
          resolve(yes);
        },
      });
    });
  };
  return (
    <>
      <OptionCard card={card} settings={settings} isSure={isSure} />
      {question !== undefined && <GroupsGoneDialog groups={question.groups} onAnswer={question.answer} />}
    </>
  );
};
