import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/preact-query';
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Router } from 'wouter-preact';
import { Frame } from './frame';
import { keptSignIn } from './office';
import { SignIn, SignInAgain } from './pages/sign-in';
import { announce } from './parts/announce';
import { askAndOpen } from './parts/unsaved';
import './styles/office.css';

const client = new QueryClient({
  // Beside a refusal, what the action before has done would seem to be the result of this one.
  mutationCache: new MutationCache({ onError: () => announce('') }),
  // Without a network requests fail at once, and the page says so, instead of waiting without a word.
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

function Office() {
  const signIn = keptSignIn.use();
  const shown = useRef<number | null>(null);
  useEffect(() => {
    // Also when another tab has signed out, or somebody else in.
    if (signIn === null) client.clear();
    else if (shown.current !== null && shown.current !== signIn.user_id) location.reload();
    shown.current = signIn?.user_id ?? null;
  }, [signIn]);
  if (signIn === null) return <SignIn />;
  return (
    <>
      <Frame />
      {signIn.token === null && <SignInAgain />}
    </>
  );
}

render(
  <QueryClientProvider client={client}>
    <Router base="/admin" aroundNav={askAndOpen}>
      <Office />
    </Router>
  </QueryClientProvider>,
  document.getElementById('office')!, // It stands in index.html.
);
