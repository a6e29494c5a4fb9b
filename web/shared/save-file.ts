/** Saves a file that a request with a token has read; a link could not send the token. */
export async function saveFile(response: Response, name: string): Promise<void> {
  const content = await response.blob();
  // Without a byte order mark, spreadsheets misread letters that are not ASCII.
  const mark = content.type.startsWith('text/csv') ? ['\ufeff'] : [];
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([...mark, content], { type: content.type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
