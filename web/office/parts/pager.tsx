interface PagerProps {
  page: number;
  pages: number;
  total: number;
  onPage: (page: number) => void;
}

export const Pager = ({ page, pages, total, onPage }: PagerProps) => (
  <nav class="pager" aria-label="Pages">
    <button type="button" class="button-quiet" disabled={page <= 1} onClick={() => onPage(page - 1)}>
      Previous
    </button>
    <span>
      Page {page} of {Math.max(1, pages)}, {total} in all
    </span>
    <button type="button" class="button-quiet" disabled={page >= pages} onClick={() => onPage(page + 1)}>
      Next
    </button>
  </nav>
);
