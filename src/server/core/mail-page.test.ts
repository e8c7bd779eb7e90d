import { expect, it } from 'vitest';
import { mailPage } from './mail-page.ts';

it('names in a mail are escaped as HTML and kept in plain text', () => {
  const siteName = `<b>$& "Gate" $'</b>`;
  const page = mailPage(
    { to: 'ada@example.com', siteName, language: 'en' },
    {
      subject: '<i>hello</i>',
      lines: ['for <script>1</script>'],
      button: { label: 'x"y', url: 'https://a/?b="c' },
    },
  );
  expect(page.text).toContain(`Sent by ${siteName} because`);
  expect(page.html).not.toMatch(/<(b|i|script)>|"y|="c/);
  expect(page.html).toContain('Sent by &lt;b&gt;$&amp; &quot;Gate&quot; $&#39;&lt;/b&gt; because');
});
