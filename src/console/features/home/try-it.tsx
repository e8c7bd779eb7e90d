import { DEFAULT_MODEL } from '#contract/codes.ts';
import { Copy } from '../../kit/copy.tsx';
import { useTranslation } from '../../lib/text/i18n.ts';

/** A first call to copy; below the fold, so it is loaded after the page. */
const TryIt = ({ address }: { readonly address: string }) => {
  const { t } = useTranslation('front');
  const command = [
    `curl ${address}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer $TOLLGATE_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"model": "${DEFAULT_MODEL}", "messages": [{"role": "user", "content": "Hello"}]}'`,
  ].join('\n');
  return (
    <section className="home-try" aria-labelledby="home-try">
      <div>
        <h2 id="home-try">{t('home.try')}</h2>
        <p className="meta">{t('home.tryHint')}</p>
        <Copy value={command} label={t('home.try')} iconOnly />
      </div>
      <pre className="mono" tabIndex={0}>
        {command}
      </pre>
    </section>
  );
};

export default TryIt;
