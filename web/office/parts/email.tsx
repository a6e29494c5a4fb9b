/** An e-mail address that breaks before its host where a column is too narrow for it, not within a word. */
export function Email({ email }: { email: string | null | undefined }) {
  const [name, host] = email?.split(/(?=@[^@]*$)/) ?? [];
  return (
    <>
      {name}
      <wbr />
      {host}
    </>
  );
}
