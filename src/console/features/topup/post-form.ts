/** Sends the browser to another site with a posted form, as payment gateways require. */
export const postForm = (url: string, fields: Readonly<Record<string, string>>): void => {
  const form = Object.assign(document.createElement('form'), { method: 'POST', action: url, hidden: true });
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  document.body.append(form);
  form.submit();
};
