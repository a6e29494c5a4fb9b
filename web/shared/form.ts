/** Returns the text of a field of a form that is sent; empty if there is no such field. */
export function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
