import { visit, type Visit } from './browser';

/** What a reader of /docs sees. */
export interface ReadReference extends Pick<Visit, 'requestedUrls' | 'errors'> {
  /** The headings of the sidebar. */
  tags: string[];
  /** For each opened operation, the milliseconds until it is shown. */
  times: Record<string, number>;
}

/** Opens every `step`th operation of the sidebar of /docs in turn, in a browser. */
export async function openOperations(origin: string, step: number): Promise<ReadReference> {
  const { value, ...rest } = await visit(`${origin}/docs`, buildScript(step));
  return { ...(value as Pick<ReadReference, 'tags' | 'times'>), ...rest }; // returned by the script
}

const buildScript = (step: number): string => `(async () => {
  const until = async (find) => {
    for (;;) {
      const found = find();
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const root = (await until(() => document.querySelector('openapi-explorer')?.shadowRoot));
  const links = () =>
    [...root.querySelectorAll('.nav-bar-path')].filter(({ dataset }) => /^(get|post|put|delete)-/.test(dataset.contentId));
  await until(() => links().length > 100);
  const tags = [...root.querySelectorAll('.nav-bar-tag[data-content-id^="tag--"]')].map((tag) => tag.textContent.replace('▾', '').trim());
  const times = {};
  for (const { dataset: { contentId } } of links().filter((_, index) => index % ${step} === 0)) {
    const begun = performance.now();
    root.querySelector('.nav-bar-path[data-content-id="' + contentId + '"]').click();
    await until(() => root.getElementById(contentId)?.textContent.includes('Errors:'));
    times[contentId] = performance.now() - begun;
  }
  return { tags, times };
})()`;
