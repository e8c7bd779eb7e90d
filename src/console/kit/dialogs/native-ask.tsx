import { useEffect } from 'react';
import { useTranslation } from '../../lib/text/i18n.ts';
import type { OpenDialog } from './dialogs.ts';

/**
 * The browser's own question, where the code of ours cannot be loaded: without a network, or after an update of the site. A page
 * that broke instead would lose what is typed, which is what most questions are about.
 */
const NativeAsk = ({ opened: { request, answer } }: { readonly opened: OpenDialog }) => {
  const { t } = useTranslation();
  useEffect(() => {
    if (request.kind === 'copy') {
      prompt(t('dialog.copyByHand'), request.text);
      return answer(false);
    }
    const { title, text = '', typed } = request;
    const question = `${title}\n\n${text}`.trim();
    if (typed === undefined) return answer(confirm(question));
    answer(prompt(`${question}\n\n${t('dialog.typeToConfirm', { text: typed })}`) === typed);
  }, [request, answer, t]);
  return null;
};

export default NativeAsk;
